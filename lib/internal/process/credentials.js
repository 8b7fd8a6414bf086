'use strict';
// User and group ids: process.getuid() and similar functions.
const { ArrayPrototypeSlice, StringPrototypeSlice, StringPrototypeToUpperCase } = primordials;
const binding = internalBinding('credentials');
const { codes: { ERR_INVALID_ARG_TYPE, ERR_UNKNOWN_CREDENTIAL } } = require('internal/errors');
const { genericNodeError } = require('internal/errors');
const { validateArray, validateUint32 } = require('internal/validators');

function checkId(id, name) {
  if (typeof id === 'number') {
    validateUint32(id, name);
    return id >>> 0; // Converts -0 to 0.
  }
  if (typeof id !== 'string') throw new ERR_INVALID_ARG_TYPE(name, ['number', 'string'], id);
  return id;
}

// As in Node, these errors have their own format.
function systemError(errno, syscall) {
  const { 0: code, 1: sentence } = require('internal/errors/uv').uvErrmapGet(-errno) ?? ['EUNKNOWN', 'unknown error'];
  return genericNodeError(`${code}, ${StringPrototypeToUpperCase(sentence[0])}${StringPrototypeSlice(sentence, 1)}`,
    { errno, code, syscall });
}

function makeSetter(syscall, kind) {
  return {
    [syscall](id) {
      id = checkId(id, 'id');
      const result = binding[syscall](id);
      if (result === -1) throw new ERR_UNKNOWN_CREDENTIAL(kind, id);
      if (result !== 0) throw systemError(result, syscall);
    },
  }[syscall];
}

function setgroups(groups) {
  validateArray(groups, 'groups');
  const ids = [];
  for (let i = 0; i < groups.length; i++) ids[i] = checkId(groups[i], `groups[${i}]`);
  const result = binding.setGroups(ids);
  if (result < 0) throw new ERR_UNKNOWN_CREDENTIAL('Group', ids[-1 - result]);
  if (result !== 0) throw systemError(result, 'setgroups');
}

function initgroups(user, extraGroup) {
  user = checkId(user, 'user');
  extraGroup = checkId(extraGroup, 'extraGroup');
  const result = binding.initGroups(user, extraGroup);
  if (result === -1) throw new ERR_UNKNOWN_CREDENTIAL('User', user);
  if (result === -2) throw new ERR_UNKNOWN_CREDENTIAL('Group', extraGroup);
  if (result !== 0) throw systemError(result, 'initgroups');
}

module.exports = {
  getuid() { return binding.ids()[0]; },
  geteuid() { return binding.ids()[1]; },
  getgid() { return binding.ids()[2]; },
  getegid() { return binding.ids()[3]; },
  getgroups() { return ArrayPrototypeSlice(binding.ids(), 4); },
  setuid: makeSetter('setuid', 'User'),
  seteuid: makeSetter('seteuid', 'User'),
  setgid: makeSetter('setgid', 'Group'),
  setegid: makeSetter('setegid', 'Group'),
  setgroups,
  initgroups,
};

'use strict';
// The certificates that are trusted by default, as texts in PEM.

const { ArrayIsArray, ArrayPrototypePush, Boolean, ObjectFreeze } = primordials;

const binding = internalBinding('tls_roots');
const { codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { getOptionValue, hasFlag } = require('internal/options');
const { isArrayBufferView } = require('internal/util/types');
const { validateString } = require('internal/validators');

let isReady = false;
// Must be called before the first context is created.
function setUpRoots() {
  if (isReady) return;
  isReady = true;
  binding.setSources(getOptionValue('--use-openssl-ca'), usesSystem(), hasExtra());
}

function usesSystem() {
  return getOptionValue('--use-system-ca') ||
    (process.env.NODE_USE_SYSTEM_CA === '1' && !hasFlag('no-use-system-ca'));
}

function hasExtra() {
  return Boolean(process.env.NODE_EXTRA_CA_CERTS);
}

const lists = { __proto__: null };
function listOf(name) {
  return lists[name] ??= ObjectFreeze(binding[name]());
}

function getRootCertificates() {
  return listOf('bundled');
}

function getExtra() {
  return hasExtra() ? listOf('extra') : lists.extra ??= ObjectFreeze([]);
}

let byDefault;
function getDefault() {
  if (byDefault !== undefined) return byDefault;
  const list = binding.replaced() ?? [];
  if (binding.replaced() === undefined) {
    const parts = [];
    if (!getOptionValue('--use-openssl-ca')) {
      ArrayPrototypePush(parts, getRootCertificates());
      if (usesSystem()) ArrayPrototypePush(parts, listOf('system'));
    }
    if (hasExtra()) ArrayPrototypePush(parts, getExtra());
    for (let i = 0; i < parts.length; i++) {
      for (let j = 0; j < parts[i].length; j++) ArrayPrototypePush(list, parts[i][j]);
    }
  }
  byDefault = ObjectFreeze(list);
  return byDefault;
}

function getCACertificates(type = 'default') {
  validateString(type, 'type');
  switch (type) {
    case 'default': return getDefault();
    case 'bundled': return getRootCertificates();
    case 'system': return listOf('system');
    case 'extra': return getExtra();
    default: throw new ERR_INVALID_ARG_VALUE('type', type);
  }
}

function setDefaultCACertificates(certs) {
  if (!ArrayIsArray(certs)) throw new ERR_INVALID_ARG_TYPE('certs', 'Array', certs);
  for (let i = 0; i < certs.length; i++) {
    if (typeof certs[i] !== 'string' && !isArrayBufferView(certs[i])) {
      throw new ERR_INVALID_ARG_TYPE(`certs[${i}]`, ['string', 'ArrayBufferView'], certs[i]);
    }
  }
  setUpRoots();
  binding.replace(certs);
  byDefault = undefined;
}

module.exports = { getCACertificates, getRootCertificates, setDefaultCACertificates, setUpRoots, usesSystem };

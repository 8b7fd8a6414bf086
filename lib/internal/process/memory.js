'use strict';
// The memory limit of the process's control group.

const { BigInt, Number, RegExpPrototypeExec, StringPrototypeTrim } = primordials;

const { readFileSync } = require('fs');
const os = require('os');

const kUnlimited = 2n ** 64n - 1n;
// The value of cgroup v1 for "no limit": the largest multiple of the page size.
const kUnlimitedInPages = 2n ** 63n - 4096n;

function readText(file) {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

// Returns 0 if the file cannot be read.
function readAmount(file) {
  const text = StringPrototypeTrim(readText(file));
  if (text === 'max') return kUnlimited;
  if (RegExpPrototypeExec(/^\d+$/, text) === null) return 0n;
  const amount = BigInt(text);
  return amount >= kUnlimitedInPages ? kUnlimited : amount;
}

// The files of the cgroup: hard limit, soft limit, and usage.
function filesOfGroup() {
  const groups = readText('/proc/self/cgroup');
  const second = RegExpPrototypeExec(/^0::(\/.*)$/, StringPrototypeTrim(groups));
  if (second !== null) {
    const folder = `/sys/fs/cgroup${second[1]}`;
    return [`${folder}/memory.max`, `${folder}/memory.high`, `${folder}/memory.current`];
  }
  const first = RegExpPrototypeExec(/^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(\/.*)$/m, groups);
  const root = '/sys/fs/cgroup/memory';
  let folder = first === null ? root : root + first[1];
  // In a container the path is that of the host, and the group is at the root.
  if (readText(`${folder}/memory.limit_in_bytes`) === '') folder = root;
  return [`${folder}/memory.limit_in_bytes`, `${folder}/memory.soft_limit_in_bytes`, `${folder}/memory.usage_in_bytes`];
}

function limitOf(files) {
  const hard = readAmount(files[0]);
  const soft = readAmount(files[1]);
  if (hard === 0n || soft === 0n) return 0n;
  return soft < hard ? soft : hard;
}

function constrainedMemory() {
  return Number(limitOf(filesOfGroup()));
}

function availableMemory() {
  const files = filesOfGroup();
  const limit = Number(limitOf(files));
  if (limit === 0 || limit > os.totalmem()) return os.freemem();
  const used = Number(readAmount(files[2]));
  return used < limit ? limit - used : 0;
}

module.exports = { availableMemory, constrainedMemory };

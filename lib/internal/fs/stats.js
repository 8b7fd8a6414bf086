'use strict';

// The classes Stats, BigIntStats, StatFs and Dirent. The binding returns numbers in an array that its next call
// overwrites, so they are copied immediately.

const {
  BigInt,
  Date,
  FunctionPrototypeCall,
  MathFloor,
  MathRound,
  Number,
  ObjectCreate,
  ObjectDefineProperty,
  ObjectSetPrototypeOf,
  Symbol,
} = primordials;

const {
  S_IFBLK,
  S_IFCHR,
  S_IFDIR,
  S_IFIFO,
  S_IFLNK,
  S_IFMT,
  S_IFREG,
  S_IFSOCK,
  UV_DIRENT_BLOCK,
  UV_DIRENT_CHAR,
  UV_DIRENT_DIR,
  UV_DIRENT_FIFO,
  UV_DIRENT_FILE,
  UV_DIRENT_LINK,
  UV_DIRENT_SOCKET,
} = require('internal/fs/constants');

function StatsBase(dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks) {
  this.dev = dev;
  this.mode = mode;
  this.nlink = nlink;
  this.uid = uid;
  this.gid = gid;
  this.rdev = rdev;
  this.blksize = blksize;
  this.ino = ino;
  this.size = size;
  this.blocks = blocks;
}

StatsBase.prototype.isDirectory = function() {
  return this._checkModeProperty(S_IFDIR);
};
StatsBase.prototype.isFile = function() {
  return this._checkModeProperty(S_IFREG);
};
StatsBase.prototype.isBlockDevice = function() {
  return this._checkModeProperty(S_IFBLK);
};
StatsBase.prototype.isCharacterDevice = function() {
  return this._checkModeProperty(S_IFCHR);
};
StatsBase.prototype.isSymbolicLink = function() {
  return this._checkModeProperty(S_IFLNK);
};
StatsBase.prototype.isFIFO = function() {
  return this._checkModeProperty(S_IFIFO);
};
StatsBase.prototype.isSocket = function() {
  return this._checkModeProperty(S_IFSOCK);
};

function inherit(Class) {
  ObjectSetPrototypeOf(Class, StatsBase);
  Class.prototype = ObjectCreate(StatsBase.prototype);
  ObjectDefineProperty(Class.prototype, 'constructor', {
    __proto__: null,
    value: Class,
    writable: true,
    configurable: true,
  });
}

// Rounded, so that a time that was set reads back unchanged: a double cannot hold all nanoseconds.
function dateFromMs(ms) {
  return new Date(MathRound(Number(ms)));
}

// The nanoseconds within the second. As in Node, these properties are visible to programs.
const kPartialAtimeNs = Symbol('partialAtimeNs');
const kPartialMtimeNs = Symbol('partialMtimeNs');
const kPartialCtimeNs = Symbol('partialCtimeNs');
const kPartialBirthtimeNs = Symbol('kPartialBirthtimeNs');

function Stats(dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks,
  atimeSec, atimeNs, mtimeSec, mtimeNs, ctimeSec, ctimeNs, birthtimeSec, birthtimeNs) {
  this.dev = dev;
  this.mode = mode;
  this.nlink = nlink;
  this.uid = uid;
  this.gid = gid;
  this.rdev = rdev;
  this.blksize = blksize;
  this.ino = ino;
  this.size = size;
  this.blocks = blocks;
  this.atimeMs = atimeSec * 1e3 + atimeNs / 1e6;
  this.mtimeMs = mtimeSec * 1e3 + mtimeNs / 1e6;
  this.ctimeMs = ctimeSec * 1e3 + ctimeNs / 1e6;
  this.birthtimeMs = birthtimeSec * 1e3 + birthtimeNs / 1e6;
  this[kPartialAtimeNs] = atimeNs;
  this[kPartialMtimeNs] = mtimeNs;
  this[kPartialCtimeNs] = ctimeNs;
  this[kPartialBirthtimeNs] = birthtimeNs;
}
inherit(Stats);

// An accessor that turns into a data property when it is first read or written.
function lazyProperty(name, make) {
  const store = (target, value) => {
    ObjectDefineProperty(target, name,
      { __proto__: null, value, writable: true, enumerable: true, configurable: true });
    return value;
  };
  return {
    __proto__: null,
    enumerable: true,
    configurable: true,
    get() { return this === undefined ? undefined : store(this, make(this)); },
    set(value) { store(this, value); },
  };
}

const kNsPerSec = 1_000_000_000n;

function instantFromNs(ns) {
  const Instant = globalThis.Temporal?.Instant;
  return Instant === undefined ? undefined : new Instant(ns);
}

function defineTimes(prototype, nsOf) {
  const names = ['atime', 'mtime', 'ctime', 'birthtime'];
  for (let i = 0; i < names.length; i++) {
    const key = `${names[i]}Ms`;
    ObjectDefineProperty(prototype, names[i], lazyProperty(names[i], (stats) => dateFromMs(stats[key])));
  }
  for (let i = 0; i < names.length; i++) {
    const name = `${names[i]}Instant`;
    ObjectDefineProperty(prototype, name, lazyProperty(name, (stats) => instantFromNs(nsOf(stats, names[i]))));
  }
}

const partialKeys = {
  __proto__: null,
  atime: kPartialAtimeNs,
  mtime: kPartialMtimeNs,
  ctime: kPartialCtimeNs,
  birthtime: kPartialBirthtimeNs,
};
defineTimes(Stats.prototype, (stats, name) =>
  BigInt(MathFloor(stats[`${name}Ms`] / 1e3)) * kNsPerSec + BigInt(stats[partialKeys[name]]));

Stats.prototype._checkModeProperty = function(property) {
  return (this.mode & S_IFMT) === property;
};

const kNsPerMs = 1_000_000n;
function BigIntStats(dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks,
  atimeNs, mtimeNs, ctimeNs, birthtimeNs) {
  FunctionPrototypeCall(StatsBase, this, dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks);
  this.atimeMs = atimeNs / kNsPerMs;
  this.mtimeMs = mtimeNs / kNsPerMs;
  this.ctimeMs = ctimeNs / kNsPerMs;
  this.birthtimeMs = birthtimeNs / kNsPerMs;
  this.atimeNs = atimeNs;
  this.mtimeNs = mtimeNs;
  this.ctimeNs = ctimeNs;
  this.birthtimeNs = birthtimeNs;
}
inherit(BigIntStats);
defineTimes(BigIntStats.prototype, (stats, name) => stats[`${name}Ns`]);

BigIntStats.prototype._checkModeProperty = function(property) {
  return (this.mode & BigInt(S_IFMT)) === BigInt(property);
};

// Takes the Float64Array that stat(), lstat() and fstat() of the binding return; with BigInts it is a BigInt64Array.
function statsFromNumbers(n) {
  return new Stats(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10], n[11], n[12], n[13],
    n[14], n[15], n[16], n[17]);
}

function statsFromBigNumbers(n) {
  return new BigIntStats(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9],
    n[10] * kNsPerSec + n[11], n[12] * kNsPerSec + n[13], n[14] * kNsPerSec + n[15], n[16] * kNsPerSec + n[17]);
}

class StatFs {
  constructor(type, bsize, frsize, blocks, bfree, bavail, files, ffree) {
    this.type = type;
    this.bsize = bsize;
    this.frsize = frsize;
    this.blocks = blocks;
    this.bfree = bfree;
    this.bavail = bavail;
    this.files = files;
    this.ffree = ffree;
  }
}

function statFsFromNumbers(n) {
  return new StatFs(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]);
}

const kType = Symbol('type');

class Dirent {
  constructor(name, type, path) {
    this.name = name;
    this.parentPath = path;
    this[kType] = type;
  }

  isDirectory() {
    return this[kType] === UV_DIRENT_DIR;
  }

  isFile() {
    return this[kType] === UV_DIRENT_FILE;
  }

  isBlockDevice() {
    return this[kType] === UV_DIRENT_BLOCK;
  }

  isCharacterDevice() {
    return this[kType] === UV_DIRENT_CHAR;
  }

  isSymbolicLink() {
    return this[kType] === UV_DIRENT_LINK;
  }

  isFIFO() {
    return this[kType] === UV_DIRENT_FIFO;
  }

  isSocket() {
    return this[kType] === UV_DIRENT_SOCKET;
  }
}

const kStats = Symbol('stats');

// An entry whose type comes from lstat().
class DirentFromStats extends Dirent {
  constructor(name, stats, path) {
    super(name, null, path);
    this[kStats] = stats;
  }
}
const questions = [
  'isDirectory', 'isFile', 'isBlockDevice', 'isCharacterDevice', 'isSymbolicLink', 'isFIFO', 'isSocket',
];
for (let i = 0; i < questions.length; i++) {
  const name = questions[i];
  DirentFromStats.prototype[name] = function() {
    return this[kStats][name]();
  };
}

// Takes the names and types that the binding's readdir() returns.
function direntsOf(names, types, path) {
  const entries = new primordials.Array(names.length);
  for (let i = 0; i < names.length; i++) entries[i] = new Dirent(names[i], types[i], path);
  return entries;
}

module.exports = {
  BigIntStats,
  Dirent,
  DirentFromStats,
  StatFs,
  Stats,
  direntsOf,
  kType,
  statFsFromNumbers,
  statsFromBigNumbers,
  statsFromNumbers,
};

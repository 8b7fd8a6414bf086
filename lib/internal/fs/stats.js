'use strict';

// What is known about a file, a file system or an entry of a directory, as users see it. The binding hands over numbers in
// an array that the next call overwrites: they are copied here at once.

const {
  BigInt,
  Date,
  FunctionPrototypeCall,
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

StatsBase.prototype.isDirectory = function () {
  return this._checkModeProperty(S_IFDIR);
};
StatsBase.prototype.isFile = function () {
  return this._checkModeProperty(S_IFREG);
};
StatsBase.prototype.isBlockDevice = function () {
  return this._checkModeProperty(S_IFBLK);
};
StatsBase.prototype.isCharacterDevice = function () {
  return this._checkModeProperty(S_IFCHR);
};
StatsBase.prototype.isSymbolicLink = function () {
  return this._checkModeProperty(S_IFLNK);
};
StatsBase.prototype.isFIFO = function () {
  return this._checkModeProperty(S_IFIFO);
};
StatsBase.prototype.isSocket = function () {
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

// Rounded, so that a time that was set comes back as it was although doubles cannot hold all of its nanoseconds.
function dateFromMs(ms) {
  return new Date(MathRound(Number(ms)));
}

function Stats(dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks,
  atimeMs, mtimeMs, ctimeMs, birthtimeMs) {
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
  this.atimeMs = atimeMs;
  this.mtimeMs = mtimeMs;
  this.ctimeMs = ctimeMs;
  this.birthtimeMs = birthtimeMs;
  this.atime = dateFromMs(atimeMs);
  this.mtime = dateFromMs(mtimeMs);
  this.ctime = dateFromMs(ctimeMs);
  this.birthtime = dateFromMs(birthtimeMs);
}
inherit(Stats);

Stats.prototype.isFile = StatsBase.prototype.isFile;
Stats.prototype._checkModeProperty = function (property) {
  return (this.mode & S_IFMT) === property;
};

const kNsPerMs = 1_000_000n;
const kNsPerSec = 1_000_000_000n;

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
  this.atime = dateFromMs(this.atimeMs);
  this.mtime = dateFromMs(this.mtimeMs);
  this.ctime = dateFromMs(this.ctimeMs);
  this.birthtime = dateFromMs(this.birthtimeMs);
}
inherit(BigIntStats);

BigIntStats.prototype._checkModeProperty = function (property) {
  return (this.mode & BigInt(S_IFMT)) === BigInt(property);
};

// From what stat(), lstat() and fstat() of the binding return: a Float64Array, or a BigInt64Array where BigInts were asked for.
function statsFromNumbers(n) {
  return new Stats(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10], n[11], n[12], n[13]);
}

function statsFromBigNumbers(n) {
  return new BigIntStats(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9],
    n[10] * kNsPerSec + n[11], n[12] * kNsPerSec + n[13], n[14] * kNsPerSec + n[15], n[16] * kNsPerSec + n[17]);
}

class StatFs {
  constructor(type, bsize, blocks, bfree, bavail, files, ffree) {
    this.type = type;
    this.bsize = bsize;
    this.blocks = blocks;
    this.bfree = bfree;
    this.bavail = bavail;
    this.files = files;
    this.ffree = ffree;
  }
}

function statFsFromNumbers(n) {
  return new StatFs(n[0], n[1], n[2], n[3], n[4], n[5], n[6]);
}

const kType = Symbol('type');

class Dirent {
  constructor(name, type, path) {
    this.name = name;
    this.parentPath = path;
    this.path = path;
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

// From the names and types that readdir() of the binding returns.
function direntsOf(names, types, path) {
  const entries = new primordials.Array(names.length);
  for (let i = 0; i < names.length; i++) entries[i] = new Dirent(names[i], types[i], path);
  return entries;
}

module.exports = {
  BigIntStats,
  Dirent,
  StatFs,
  Stats,
  direntsOf,
  kType,
  statFsFromNumbers,
  statsFromBigNumbers,
  statsFromNumbers,
};

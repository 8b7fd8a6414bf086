'use strict';

// On the systems Rondo runs on, `path` is `path.posix`; `path.win32` works everywhere all the same.

const posix = require('internal/path/posix');
const win32 = require('internal/path/win32');

posix.win32 = win32.win32 = win32;
posix.posix = win32.posix = posix;

// Old programs call this name.
posix._makeLong = posix.toNamespacedPath;
win32._makeLong = win32.toNamespacedPath;

module.exports = posix;

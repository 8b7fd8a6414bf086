'use strict';

// node:path. `path` is `path.posix` on all systems that Rondo supports; `path.win32` is available, too.

const posix = require('internal/path/posix');
const win32 = require('internal/path/win32');

posix.win32 = win32.win32 = win32;
posix.posix = win32.posix = posix;

// Old programs call toNamespacedPath() by this name.
posix._makeLong = posix.toNamespacedPath;
win32._makeLong = win32.toNamespacedPath;

module.exports = posix;

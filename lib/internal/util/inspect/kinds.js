'use strict';

// Results of kindOf() of the types binding, which finds the type of an object in one call. They must match `Kind` in
// src/bindings/engine/types.cc.
exports.kPlain = 0;
exports.kProxy = 1;
exports.kArray = 2;
exports.kFunction = 3;
exports.kDate = 4;
exports.kRegExp = 5;
exports.kError = 6;
exports.kMap = 7;
exports.kSet = 8;
exports.kMapIterator = 9;
exports.kSetIterator = 10;
exports.kTypedArray = 11;
exports.kArrayBuffer = 12;
exports.kSharedArrayBuffer = 13;
exports.kDataView = 14;
exports.kPromise = 15;
exports.kWeakMap = 16;
exports.kWeakSet = 17;
exports.kModuleNamespace = 18;
exports.kBoxedPrimitive = 19;
exports.kArguments = 20;
exports.kExternal = 21;
exports.kGenerator = 22;

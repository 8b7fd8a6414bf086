'use strict';
// Keys of type 'secret'.
const crypto = require('node:crypto');
const { types } = require('node:util');

const bytes = Buffer.from('abc');
const key = crypto.createSecretKey(bytes);
bytes.fill(0);
console.log(key, key.type, key.symmetricKeySize, key.export(), key.export({ format: 'jwk' }), key.export({ format: 'buffer' }));
console.log(Object.prototype.toString.call(key), key instanceof crypto.KeyObject, key.asymmetricKeyType);
const out = key.export();
out.fill(1);
console.log(key.export().toString());
console.log(key.equals(crypto.createSecretKey('abc', 'utf8')), key.equals(crypto.createSecretKey('616263', 'hex')));
console.log(key.equals(crypto.createSecretKey('abd', 'utf8')), key.equals(crypto.createSecretKey('ab', 'utf8')), key.equals(key));
console.log(crypto.createSecretKey('').symmetricKeySize, crypto.createSecretKey(new ArrayBuffer(5)).symmetricKeySize);
console.log(crypto.createSecretKey(new Uint16Array([1, 2])).export(), crypto.createSecretKey(new DataView(new ArrayBuffer(2))).export());
console.log(types.isKeyObject(key), types.isKeyObject({}), types.isKeyObject(null), types.isCryptoKey(key), types.isCryptoKey(1));

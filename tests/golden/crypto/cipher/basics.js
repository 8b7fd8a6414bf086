'use strict';
// Ciphers: every mode there and back, encodings, padding, tags and associated data.
const crypto = require('node:crypto');

const text = 'The quick brown fox jumps over the lazy dog. ¿Qué? €';
const bytes = (length, first) => Buffer.from(Array.from({ length }, (_, i) => (first + 7 * i) & 255));
for (const name of [
  'aes-128-cbc', 'aes-192-cbc', 'AES-256-CBC', 'aes128', 'aes-128-ctr', 'aes-256-ctr', 'aes-128-ecb', 'aes-256-ecb', 'aes-128-cfb',
  'aes-256-cfb8', 'aes-256-cfb1', 'aes-192-ofb', 'aes-256-xts', 'des-ede3-cbc', 'camellia-256-cbc', 'aria-128-ctr', 'chacha20', 'sm4-cbc',
]) {
  const { keyLength, ivLength = 0 } = crypto.getCipherInfo(name);
  const key = bytes(keyLength, 1);
  const iv = ivLength === 0 ? null : bytes(ivLength, 99);
  const cipher = crypto.createCipheriv(name, key, iv);
  const sealed = cipher.update(text, 'utf8', 'hex') + cipher.final('hex');
  const decipher = crypto.createDecipheriv(name, crypto.createSecretKey(key), iv);
  console.log(name, sealed, decipher.update(sealed, 'hex', 'utf8') + decipher.final('utf8') === text);
}

for (const [name, options, ivLength] of [
  ['aes-128-gcm', undefined, 12], ['aes-256-gcm', { authTagLength: 12 }, 12], ['aes-192-gcm', { authTagLength: 4 }, 16],
  ['aes-128-ccm', { authTagLength: 16 }, 12], ['aes-256-ccm', { authTagLength: 8 }, 7], ['aes-128-ocb', { authTagLength: 16 }, 12],
  ['chacha20-poly1305', undefined, 12], ['chacha20-poly1305', { authTagLength: 16 }, 12],
]) {
  const key = bytes(crypto.getCipherInfo(name).keyLength, 3);
  const iv = bytes(ivLength, 5);
  const plain = Buffer.from(text);
  const length = name.endsWith('ccm') ? { plaintextLength: plain.length } : undefined;
  const cipher = crypto.createCipheriv(name, key, iv, options);
  cipher.setAAD(Buffer.from('header'), length);
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  const tag = cipher.getAuthTag();
  console.log(name, sealed.toString('base64'), tag.toString('hex'));
  const open = (data, itsTag, header) => {
    try {
      const decipher = crypto.createDecipheriv(name, key, iv, options);
      decipher.setAuthTag(itsTag).setAAD(Buffer.from(header), length);
      return decipher.update(data, undefined, 'utf8') + decipher.final('utf8') === text;
    } catch (error) {
      return error.message;
    }
  };
  const wrong = (buffer) => Buffer.concat([buffer.subarray(0, -1), Buffer.from([buffer.at(-1) ^ 1])]);
  console.log(open(sealed, tag, 'header'), open(wrong(sealed), tag, 'header'), open(sealed, wrong(tag), 'header'), open(sealed, tag, 'Header'));
}

const key = bytes(16, 0);
const iv = bytes(16, 16);
const unpadded = crypto.createCipheriv('aes-128-cbc', key, iv).setAutoPadding(false);
console.log(unpadded.update('0123456789abcdef', 'latin1', 'hex'), JSON.stringify(unpadded.final('hex')));
const padded = crypto.createDecipheriv('aes-128-cbc', key, iv);
padded.setAutoPadding(false);
console.log(padded.update(crypto.createCipheriv('aes-128-cbc', key, iv).final()), padded.final());
const pieces = crypto.createDecipheriv('aes-128-cbc', key, iv);
const whole = crypto.createCipheriv('aes-128-cbc', key, iv);
const hex = whole.update(text, 'utf8', 'hex') + whole.final('hex');
let out = '';
for (let i = 0; i < hex.length; i += 2) out += pieces.update(hex.slice(i, i + 2), 'hex', 'utf8');
console.log(out + pieces.final('utf8') === text);
const base64 = crypto.createCipheriv('aes-128-ctr', key, iv);
console.log(base64.update('a', 'utf8', 'base64'), base64.update('bc', 'utf8', 'base64'), base64.update('d', 'utf8', 'base64'), base64.final('base64'));
const wrap = crypto.createCipheriv('aes128-wrap', key, Buffer.alloc(8, 0xa6));
const wrapped = Buffer.concat([wrap.update(bytes(32, 50)), wrap.final()]);
const unwrap = crypto.createDecipheriv('aes128-wrap', key, Buffer.alloc(8, 0xa6));
console.log(wrapped.toString('hex'), unwrap.update(wrapped).equals(bytes(32, 50)));
const big = Buffer.alloc(1 << 20, 'rondo');
const bigCipher = crypto.createCipheriv('aes-256-gcm', bytes(32, 1), bytes(12, 1));
console.log(crypto.createHash('sha1').update(bigCipher.update(big)).update(bigCipher.final()).update(bigCipher.getAuthTag()).digest('hex'));
console.log(crypto.createCipheriv('aes-128-cbc', 'é123456789abcde', '0123456789abcdef').update('').length);
console.log(crypto.createCipheriv('aes-128-cbc', '00'.repeat(16), '0123456789abcdef', { encoding: 'hex' }).final('hex'));
const ciphers = crypto.getCiphers();
console.log(['aes-128-cbc', 'aes-256-gcm', 'chacha20-poly1305', 'aes-256-ctr'].map((name) => ciphers.includes(name)));
console.log(['aes-128-gcm', 'chacha20-poly1305', 'aes-256-ecb', 419].map((name) => crypto.getCipherInfo(name)));
console.log(crypto.getCipherInfo('aes-128-gcm', { ivLength: 5 }), crypto.getCipherInfo('aes-128-ccm', { ivLength: 14 }), crypto.getCipherInfo('nope'));
const generated = crypto.generateKeySync('aes', { length: 192 });
console.log(generated.type, generated.symmetricKeySize, crypto.generateKeySync('hmac', { length: 65 }).symmetricKeySize);
crypto.generateKey('hmac', { length: 128 }, (error, made) => console.log(error, made.symmetricKeySize));

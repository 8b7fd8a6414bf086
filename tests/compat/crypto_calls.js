'use strict';
// crypto_calls.js SEED CALLS: calls node:crypto with valid, unusual and wrong arguments, and prints each result or
// error. The same seed makes the same calls, so that the output can be compared with Node's.
const crypto = require('node:crypto');
const dns = require('node:dns');

let state = +process.argv[2] >>> 0;
const calls = +process.argv[3];
function random(below) {
  state = (Math.imul(state, 1103515245) + 12345) >>> 0;
  return (state >>> 8) % below;
}

const key = crypto.createSecretKey(Buffer.alloc(16, 9));
const values = () => [
  undefined, null, true, 0, 1, -1, 7, 16, 32, 1.5, NaN, 2 ** 31, '', 'a', 'abc', 'sha1', 'sha256', 'md5', 'hex',
  'base64', 'latin1', 'buffer', 'utf8', 'aes-128-cbc', 'aes-256-gcm', 'aes-128-ecb', 'aes-128-ctr', '0123456789abcdef',
  '00ff',
  Buffer.from('abc'), Buffer.alloc(16, 1), Buffer.alloc(12, 2), Buffer.alloc(32, 3), new Uint8Array(0),
  new Uint16Array([1, 2]),
  new DataView(new ArrayBuffer(16)), new ArrayBuffer(16), {}, [], { encoding: 'hex' }, { outputLength: 5 },
  { outputLength: 20 }, { authTagLength: 12 }, { authTagLength: 16 }, { N: 16 }, { N: 16, r: 1, p: 1 },
  { length: 128 }, { format: 'jwk' },
  { keyLength: 16 }, { ivLength: 12 }, () => {}, Symbol('s'), 10n, 'shake128', 'RSA-SHA1', { plaintextLength: 3 },
  new Float32Array(2), key,
];
function any() {
  const all = values();
  return all[random(all.length)];
}
const oneOf = (...list) => list[random(list.length)];
const digest = () => oneOf('sha1', 'sha256', 'md5', 'shake128', 'nope', any());
// Not chacha20-poly1305 to decrypt: without a tag Node accepts everything.
const cipherName = () => oneOf('aes-128-cbc', 'aes-256-gcm', 'aes-128-ecb', 'aes-128-ctr', 'aes-128-gcm', 'aes-128-ccm',
  any());
const keyValue = () => oneOf(Buffer.alloc(16, 1), Buffer.alloc(32, 3), '0123456789abcdef', key, any());
const vector = () => oneOf(Buffer.alloc(16, 1), Buffer.alloc(12, 3), null, any());
const size = () => oneOf(8, 0, any());

function show(value) {
  if (value instanceof ArrayBuffer) return `ArrayBuffer ${Buffer.from(value).toString('hex').slice(0, 80)}`;
  if (Buffer.isBuffer(value)) return `Buffer ${value.toString('hex').slice(0, 80)}`;
  if (typeof value === 'string') return JSON.stringify(value).slice(0, 100);
  if (typeof value === 'object' && value !== null) return Object.prototype.toString.call(value);
  return String(value);
}
let number = 0;
function attempt(name, call) {
  let result;
  try {
    result = show(call());
  } catch (error) {
    result = `${error.name} ${error.code} ${String(error.message).split('\n')[0].slice(0, 150)}`;
    // Node reports an error code that OpenSSL does not have.
    if (/lib\(0\)|message authentication code/.test(result)) result = 'no such code';
  }
  console.log(number, name, result);
}

function useHash() {
  const args = [digest(), any()];
  let hash;
  attempt('createHash', () => { hash = crypto.createHash(...args); });
  for (let steps = hash ? random(4) : 0; steps > 0; steps--) {
    const [kind, first, second] = [random(4), any(), any()];
    if (kind === 0) attempt('update', () => hash.update(first, second) === hash);
    if (kind === 1) attempt('digest', () => hash.digest(first));
    if (kind === 2) attempt('copy', () => { hash = hash.copy(first); });
    if (kind === 3) attempt('update', () => hash.update('abc', second) === hash);
  }
}
function useHmac() {
  const args = [digest(), keyValue(), any()];
  let hmac;
  attempt('createHmac', () => { hmac = crypto.createHmac(...args); });
  for (let steps = hmac ? random(4) : 0; steps > 0; steps--) {
    const [kind, first, second] = [random(2), any(), any()];
    attempt('hmac', () => (kind === 0 ? hmac.update(first, second) === hmac : hmac.digest(first)));
  }
}
function useCipher() {
  const args = [cipherName(), keyValue(), vector(), any()];
  const encrypts = random(2) === 0;
  let cipher;
  attempt('cipher', () => { cipher = (encrypts ? crypto.createCipheriv : crypto.createDecipheriv)(...args); });
  for (let steps = cipher ? random(6) : 0; steps > 0; steps--) {
    const [kind, first, second, third] = [random(6), any(), any(), any()];
    if (kind === 0) attempt('update', () => cipher.update(first, second, third));
    if (kind === 1) attempt('final', () => cipher.final(first));
    if (kind === 2) attempt('padding', () => cipher.setAutoPadding(first) === cipher);
    if (kind === 3) attempt('aad', () => cipher.setAAD(first, second) === cipher);
    if (kind === 4) {
      attempt('tag', () => (encrypts ? cipher.getAuthTag() : cipher.setAuthTag(first, second) === cipher));
    }
    if (kind === 5) attempt('update', () => cipher.update('0123456789', second, third));
  }
}
function derive() {
  const passwords = [any(), any()];
  const [count, length, name, options, secret, info] = [oneOf(1, 2, any()), size(), digest(), any(), keyValue(), any()];
  attempt('pbkdf2', () => crypto.pbkdf2Sync(...passwords, count, length, name));
  attempt('scrypt', () => crypto.scryptSync(...passwords, length, options));
  // Node aborts.
  if (length !== 2 ** 31) attempt('hkdf', () => crypto.hkdfSync(name, secret, passwords[1], info, length));
}
function useKeys() {
  const [first, second, third, type] = [any(), any(), any(), oneOf('aes', 'hmac', any())];
  attempt('equal', () => crypto.timingSafeEqual(first, second));
  attempt('secret', () => {
    const made = crypto.createSecretKey(first, second);
    return `${made.symmetricKeySize} ${made.export().toString('hex')} ${made.equals(key)}`;
  });
  attempt('export', () => JSON.stringify(key.export(third)));
  attempt('info', () => JSON.stringify(crypto.getCipherInfo(first, second)));
  attempt('generate', () => crypto.generateKeySync(type, second).symmetricKeySize);
}
function useRandom() {
  const [first, second, third] = [any(), any(), any()];
  if (first === 2 ** 31 || second === 2 ** 31) return;
  attempt('bytes', () => crypto.randomBytes(first).length);
  attempt('fill', () => show(crypto.randomFillSync(first, second, third)).length);
  attempt('int', () => typeof crypto.randomInt(first, second));
  attempt('uuid', () => crypto.randomUUID(first).length);
  attempt('hash', () => crypto.hash(digest(), second, third));
}
function useDns() {
  const [host, second] = [oneOf('1.2.3.4', any()), any()];
  // Names would need a name server.
  if (typeof host !== 'string' || host === '' || host === '1.2.3.4') {
    attempt('lookup', () => typeof dns.lookup(host, second, () => {}));
  }
  attempt('service', () => { if (typeof host !== 'string') dns.lookupService(host, second, () => {}); });
  attempt('resolver', () => {
    const resolver = new dns.Resolver(second);
    resolver.setServers([host]);
    return resolver.getServers().join();
  });
}

const uses = [useHash, useHmac, useCipher, useCipher, useCipher, derive, useKeys, useRandom, useDns];
for (; number < calls; number++) uses[random(uses.length)]();

'use strict';
// Structured clones of DOMException and QuotaExceededError, and objects that refuse to be cloned.
const { MessageChannel, markAsUncloneable, receiveMessageOnPort } = require('node:worker_threads');

function post(value) {
  const { port1, port2 } = new MessageChannel();
  try {
    port1.postMessage(value);
    return receiveMessageOnPort(port2).message;
  } finally {
    port1.close();
  }
}
const attempt = (name, call) => {
  try {
    console.log(name, call());
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
};

class Mine extends DOMException {
  extra = 1;
}
const errors = [
  new DOMException('plain', 'AbortError'), new DOMException('caused', { name: 'DataError', cause: 5 }), new Mine('mine', 'X'),
  new QuotaExceededError('full', { quota: 3, requested: 4 }), new QuotaExceededError(), new QuotaExceededError('half', { quota: 3 }),
];
for (const clone of [structuredClone, post]) {
  for (const error of errors) {
    const copy = clone({ error }).error;
    console.log(copy.constructor.name, String(copy), copy.code, copy.stack === error.stack, Error.isError(copy), copy.cause,
                copy.extra, copy.quota, copy.requested, copy !== error);
  }
}
console.log(structuredClone(AbortSignal.abort().reason).name);

attempt('quota', () => new QuotaExceededError('x', { quota: -1 }));
attempt('quota', () => new QuotaExceededError('x', { quota: 'a' }));
attempt('quota', () => new QuotaExceededError('x', { quota: Infinity }));
attempt('requested', () => new QuotaExceededError('x', { requested: -1 }));
attempt('requested', () => new QuotaExceededError('x', { requested: 1, quota: 2 }));
attempt('requested', () => new QuotaExceededError('x', { requested: '7', quota: '2' }).requested);
attempt('options', () => new QuotaExceededError('x', 5));
attempt('options', () => new QuotaExceededError('x', null).quota);
attempt('this', () => Object.getOwnPropertyDescriptor(QuotaExceededError.prototype, 'quota').get.call(new DOMException()));
attempt('shape', () => [
  QuotaExceededError.length, Object.keys(QuotaExceededError.prototype), new QuotaExceededError().code,
  Object.prototype.toString.call(new QuotaExceededError()), Object.getPrototypeOf(QuotaExceededError) === DOMException,
]);
for (const name of ['DOMStringSizeError', 'NoDataAllowedError', 'ValidationError', 'SyntaxError']) {
  console.log(name, new DOMException('', name).code);
}

const plain = { a: 1 };
const inherits = Object.create(plain);
const list = [1];
const buffer = new ArrayBuffer(2);
const blob = new Blob(['a']);
for (const value of [plain, list, buffer, blob, 5, null, undefined]) markAsUncloneable(value);
attempt('plain', () => structuredClone(plain));
attempt('inside', () => post([plain]));
attempt('inherits', () => structuredClone(inherits));
attempt('list', () => structuredClone(list));
attempt('buffer', () => structuredClone(buffer).byteLength);
attempt('blob', () => structuredClone(blob));
attempt('url', () => post(new URL('http://a')));
attempt('params', () => post(new URLSearchParams()));

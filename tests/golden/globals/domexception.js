// DOMException: shape, codes, stack and misuse.
'use strict';
const util = require('util');
const error = new DOMException('msg', 'AbortError');
console.log(error.code, error.name, error.message, error instanceof Error, String(error),
  Object.prototype.toString.call(error), Reflect.ownKeys(error), JSON.stringify(error));
for (const target of [DOMException.prototype, DOMException]) {
  for (const key of Reflect.ownKeys(target)) {
    const { enumerable, configurable, writable, value } = Object.getOwnPropertyDescriptor(target, key);
    if (/messaging/.test(String(key))) continue;  // Node's symbols for cloning.
    console.log(String(key), enumerable, configurable, writable, typeof value, typeof value === 'number' ? value : '');
  }
}
console.log(util.inspect(error).split('\n')[0], '|', error.stack.split('\n')[0]);
console.log([new DOMException().message, new DOMException().name, new DOMException('a', 'b').code,
  new DOMException('a', undefined).name, new DOMException(undefined).message, new DOMException('a', null).name,
  new DOMException('a', 5).name]);
const caused = new DOMException('m', { name: 'DataCloneError', cause: 5 });
console.log(caused.cause, caused.code, 'cause' in new DOMException('m'), new DOMException('m', {}).name);
const attempt = (run) => {
  try {
    console.log(run());
  } catch (e) {
    console.log(e.name, e.code, e.message);
  }
};
attempt(() => DOMException('a'));
attempt(() => DOMException.prototype.code);
attempt(() => DOMException.prototype.name);
attempt(() => Object.getOwnPropertyDescriptor(DOMException.prototype, 'message').get.call({}));
attempt(() => new DOMException(Symbol('s')));
attempt(() => { error.code = 7; return error.code; });
class Mine extends DOMException {}
console.log(new Mine('q') instanceof Mine, new Mine('q', 'NotFoundError').stack.split('\n')[0]);
console.log(util.types.isNativeError(error), Object.getPrototypeOf(DOMException.prototype) === Error.prototype);

// Errors. Their stacks are set by hand, so that they are the same everywhere.
const { inspect } = require('util');

function withStack(error, stack) {
  error.stack = stack ?? `${error.name}: ${error.message}\n    at foo (file.js:1:2)\n    at bar (/x/node_modules/pkg/a.js:3:4)` +
    '\n    at baz (/x/node_modules/@scope/pkg/node_modules/inner/b.js:3:4)\n    at node:internal/util:1:2\n    at Foo.m (node:fs:1:2)';
  return error;
}
function long(message, first = 'f0', last = 'f7') {
  const frames = Array.from({ length: 8 }, (_, i) => `    at ${i === 0 ? first : i === 7 ? last : `f${i}`} (file.js:${i}:1)`);
  return `Error: ${message}\n${frames.join('\n')}`;
}
class MyError extends Error {}
class GetName extends Error { get name() { return 'GetName'; } }
class Foo extends TypeError {}
class ValidationError extends Error { constructor(message) { super(message); this.name = 'ValidationError'; this.field = 'q'; } }
class TaggedError extends Error { get [Symbol.toStringTag]() { return 'tag'; } }
const circular = withStack(new Error('circular'));
circular.self = circular;
const renamed = withStack(new Error('x'));
renamed.name = 'Renamed';
const renamedError = withStack(new Error('x'));
renamedError.name = 'RenamedError';
const changed = withStack(new Error('x'));
changed.message = 'changed';
const nullName = withStack(new Error('np'));
nullName.name = null;
const emptyName = withStack(new Error('np'));
emptyName.name = '';
const noStack = new Error('none');
delete noStack.stack;

const values = {
  'all': [Error, TypeError, RangeError, SyntaxError, EvalError, URIError, ReferenceError].map((E) => withStack(new E('msg'))),
  'no message': withStack(new Error('')), 'lines': withStack(new Error('multi\nline')), 'looks like a frame': withStack(new Error('has\n    at fake frame')),
  'stack undefined': Object.assign(new Error('m'), { stack: undefined }), 'stack empty': withStack(new Error('m'), ''), noStack,
  'stack custom': withStack(new Error('x'), 'custom stack'), 'stack only': withStack(new Error(''), 'Error'), 'stack number': withStack(new Error('x'), 5),
  'keys': withStack(Object.assign(new Error('x'), { code: 'E_X', info: { a: 1 } })), renamed, renamedError, changed, nullName, emptyName, circular,
  'cause': withStack(new Error('outer', { cause: withStack(new Error('inner')) })), 'cause string': withStack(new Error('outer', { cause: 'str' })),
  'cause deep': withStack(new Error('outer', { cause: { a: { b: { c: 1 } } } })), 'cause undefined': withStack(new Error('o', { cause: undefined })),
  'cause with the same frames': withStack(new Error('outer', { cause: withStack(new Error('inner'), long('inner')) }), long('outer')),
  'cause with other ends': withStack(new Error('outer', { cause: withStack(new Error('inner'), long('inner', 'g')) }), long('outer', 'h', 'i')),
  'cause thrice': withStack(new Error('1', { cause: withStack(new Error('2', { cause: withStack(new Error('3'), long('3')) }), long('2')) }), long('1')),
  'aggregate': withStack(new AggregateError([withStack(new Error('a')), withStack(new TypeError('b'))], 'agg')), 'no errors': withStack(new AggregateError([], 'agg')),
  'errors of another kind': [withStack(Object.assign(new Error('x'), { errors: [1, 2] })), withStack(Object.assign(new Error('x'), { errors: 'no' }))],
  'subclass': withStack(new MyError('m'), 'Error: m\n    at x (y.js:1:1)'), 'subclass without stack': withStack(new MyError('m'), 'Error: m'),
  'getName': withStack(new GetName('m')), 'subclass of TypeError': withStack(new Foo('m'), 'TypeError: m\n    at x (y.js:1:1)'),
  'validation': withStack(new ValidationError('v')), 'validation, named late': withStack(new ValidationError('v'), 'Error: v\n    at a (b:1:1)'),
  'tagged': withStack(new TaggedError('m'), 'Error: m\n    at x (y.js:1:1)'), 'fake': Object.create(Error.prototype),
  'fake with stack': Object.assign(Object.create(Error.prototype), { message: 'fake', stack: 'Error: fake\n    at a' }),
  'without prototype': Object.setPrototypeOf(withStack(new Error('np')), null), 'TypeError without prototype': Object.setPrototypeOf(withStack(new TypeError('np')), null),
  'visible message': Object.defineProperty(withStack(new Error('q')), 'message', { enumerable: true }),
  'hidden key': Object.defineProperty(withStack(new Error('x')), 'hidden', { value: 1 }), 'inherited cause': withStack(Object.assign(new MyError('i'), {})),
};
MyError.prototype.cause = 'of the class';
const options = [undefined, { colors: true }, { depth: 0 }, { depth: -1 }, { showHidden: true }, { compact: true }, { compact: false }, { sorted: true }, { breakLength: 20 }];
for (const option of options) {
  console.log('--', inspect(option));
  for (const [name, value] of Object.entries(values)) {
    console.log(`${name}: ${inspect(value, option)}`);
    if (option === undefined || option.compact === true) console.log(inspect({ e: value, list: [value] }, option));
  }
}

'use strict';

// Runs while the snapshot is made, so that it contains the bytecode of inspect() and format(). The first object that a
// program logs would otherwise wait for a dozen files to be compiled.

const { format, inspect } = require('internal/util/inspect');
const { Console } = require('internal/console/constructor');
const util = require('util');

class Point {
  constructor() {
    this.x = 1;
    this.y = 'two';
  }

  get sum() { return 3; }
}

function makeValues() {
  const circle = { name: 'circle' };
  circle.self = circle;
  return [
    undefined, null, true, 1, -0, 10n, 'text', "it's", 'a\nb', Symbol('s'), circle, [circle], new Point(),
    { __proto__: null, a: 1 },
    { 'a': 1, 'b-c': [1, 'x', { d: { e: {} } }], 'get': { get a() { return 1; }, set a(value) {} },
      [Symbol('k')]: null },
    [1, , 3], new Array(200), Array.from({ length: 120 }, (_, i) => i),
    Array.from({ length: 30 }, (_, i) => `item ${i}`),
    new Map([['a', { b: 1 }]]), new Set([1, [2]]), new Map([[1, 2]]).entries(), new Set([1]).values(),
    new Uint8Array(3), new ArrayBuffer(3), new Date(0), /x/g, new Error('message'),
    new TypeError('outer', { cause: new Error('inner') }), new Number(1), new String('s'), new WeakMap(),
    function named() {}, () => {}, class A extends Point {}, (function() { return arguments; })(1),
    new Proxy({ a: 1 }, {}),
    'a long text that is broken\nat its line ends, because it does not fit into a line\n'.repeat(2),
    { one: 'a text of some length', two: 'another of some length',
      three: { four: 'and more, so that it breaks', five: [1] } },
  ];
}

function warmInspect() {
  const values = makeValues();
  for (let i = 0; i < values.length; i++) {
    inspect(values[i]);
    inspect(values[i], { colors: true, showHidden: true, depth: 1 });
    format('%s %o %O', i, values[i], values[i], values[i]);
  }
  format('%s %d %i %f %j %% %c', 'a', 1, '2', 3.5, { a: 1 }, 'css', 'rest');
}

function warmConsole() {
  const stream = { write() { return true; }, on() {}, once() {}, removeListener() {}, listenerCount() { return 0; } };
  const console = new Console({ stdout: stream, stderr: stream, colorMode: false });
  console.log('text');
  console.log('%s', 'text', { a: 1 });
  console.error({ a: 1 });
  console.dir({ a: 1 }, { depth: 0 });
  console.group('group');
  console.groupEnd();
  console.count();
  console.assert(false, 'text');
  console.trace('text');
}

function warmUtil() {
  util.inherits(function Child() {}, Point);
  util.promisify(() => {});
  util.types.isDate(1);
  util.types.isTypedArray([]);
  util.debuglog('x');
  util.deprecate(() => {}, 'text', 'CODE');
}

warmInspect();
warmConsole();
warmUtil();

// inspect.custom: what it is given, what becomes of what it returns.
const { inspect } = require('util');
const { custom } = inspect;

console.log(custom === Symbol.for('nodejs.util.inspect.custom'));
console.log(inspect({ [custom](depth, options, given) {
  console.log(depth, Object.keys(options).join(), options.own, given === inspect, this.a, options.stylize('x', 'string'));
  return 'done';
}, a: 1 }, { own: 'mine', depth: 7 }));
console.log(inspect({ a: { b: { [custom](depth, options) { return `${depth} ${options.depth}`; } } } }, { depth: 5 }));
console.log(inspect({ a: { [custom](depth) { return `${depth}`; } } }, { depth: null }));
console.log(inspect(new Proxy({ [custom](depth, options) {
  console.log(Object.getPrototypeOf(options), typeof options.stylize, Object.getPrototypeOf(options.stylize), options.extra, options.number);
  return options.stylize('proxied', 'special');
} }, {}), { colors: true, extra: {}, number: 1 }));

class A { [custom](depth, options) { return options.stylize(`A<${depth}>`, 'special'); } }
const values = {
  'string': { [custom]: () => 'custom!' }, 'object': { [custom]: () => ({ x: 1 }) }, 'itself': { [custom]() { return this; }, a: 1 },
  'lines': { a: { [custom]: () => 'multi\nline' } }, 'null': { [custom]: () => null }, 'undefined': { [custom]: () => undefined }, 'number': { [custom]: () => 5 },
  'symbol': { [custom]: () => Symbol('s') }, 'no function': { [custom]: 'text', a: 1 }, 'class': [new A(), { b: new A(), c: { d: new A() } }], 'prototype': A.prototype,
  'long object': { a: { b: { [custom]: () => ({ x: { y: { z: 1 } }, q: 'w'.repeat(80) }) } } }, 'long array': { a: { [custom]: () => [1, 2, { a: 'b'.repeat(80) }] } },
  'uses inspect': { a: { [custom]: (depth, options, given) => given({ deep: { er: { x: { y: 1 } } }, list: Array.from({ length: 40 }, (_, i) => i) }, { ...options, depth }) } },
  'inspect itself': { [custom]: inspect, a: 1 }, 'old name': { inspect() { return 'not called'; }, a: 1 }, 'in a map': new Map([[new A(), new A()]]),
};
for (const option of [undefined, { colors: true }, { depth: 0 }, { customInspect: false, depth: 1 }, { compact: true }, { compact: false }]) {
  console.log('--', inspect(option));
  for (const [name, value] of Object.entries(values)) {
    if (option?.customInspect === false && name === 'inspect itself') continue;
    console.log(`${name}: ${inspect(value, option)}`);
  }
}
try {
  inspect({ [custom]() { throw new RangeError('from within'); } });
} catch (error) {
  console.log(error.name, error.message);
}

// Styles and colours may be changed; so may the defaults.
console.log(Object.keys(inspect.colors).length, inspect.colors.grey, inspect.colors.crossedOut, inspect.styles.number);
inspect.styles.number = 'red';
inspect.colors.grey = [1, 2];
console.log(JSON.stringify(inspect([1, undefined], { colors: true })), inspect.colors.gray);
inspect.styles.number = 'no such colour';
console.log(JSON.stringify(inspect(1, { colors: true })));
console.log(inspect({ a: 1, b: 's' }, { stylize: (text, style) => `<${style}:${text}>` }));
console.log(inspect.defaultOptions);
inspect.defaultOptions = { depth: 0 };
console.log({ a: { b: 1 } });
try {
  inspect.defaultOptions = { unknown: 1 };
} catch (error) {
  console.log(error.name, error.message);
}
inspect.defaultOptions.depth = 2;
for (const bad of [null, undefined, 'x', 5, [], () => {}]) {
  try {
    inspect.defaultOptions = bad;
    console.log('accepted', bad);
  } catch (error) {
    console.log(error.code, error.message);
  }
}
// The old signature.
console.log(inspect({ a: { b: { c: {} } }, [Symbol('s')]: 1 }, false, 0, true), inspect({ a: { b: { c: {} } } }, true, null), inspect([1], undefined, undefined, undefined));

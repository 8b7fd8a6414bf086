// util.format() and formatWithOptions(): each placeholder with each kind of value, and with too many and too few.
const { format, formatWithOptions } = require('util');

const circle = {};
circle.circle = circle;
const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();
const values = [
  1, -0, 1.5, NaN, Infinity, 1e21, 'str', '10px', '0x10', '1e3', '', null, undefined, true, 10n, Symbol('s'), {}, { a: 1 }, { a: { b: { c: { d: 1 } } } },
  [], [1], [1, [2, [3]]], () => 1, class A {}, function f() {}, new Date(0), new Date(NaN), /x/, { toString() { return 'ts'; } },
  { toString() { throw new Error('thrown'); } }, { toString: 5 }, { __proto__: null }, { __proto__: { toString() { return 'p'; } } },
  new (class B { toString() { return 'B!'; } })(), new (class C extends Date { toString() { return 'C!'; } })(0), new (class D {})(), new Map([[1, 2]]),
  { [Symbol.toPrimitive]() { return 'prim'; } }, new (class E { [Symbol.toPrimitive]() { return 'eprim'; } })(), new Proxy({ a: 1 }, {}), revoked,
  new Proxy({ toString() { return 'x'; } }, {}), { toJSON() { return 'json'; } }, circle, '%s', '%', 'a%%b', new String('boxed'), new Number(3),
  'x'.repeat(100), "it's", { b: "it's" }, Object.create(Date.prototype), Object.assign(new Error('e'), { stack: 'Error: e\n    at q' }),
  Object.assign(() => 1, { toString() { return 'fnts'; } }), { get a() { return 1; } }, Object.assign(Object.create(null), { toString() { return 'n'; } }),
];
const formats = ['%s', '%d', '%i', '%f', '%j', '%o', '%O', '%c', '%%', '%x', '%', 'a %s b', '%s %s', '%%%s', '%%s', '%s%%', '%d%%', '% s', 'foo', '', '%s %j %d', '\n%s\t'];
function show(fn, args) {
  try {
    return JSON.stringify(fn(...args));
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
}
for (const text of formats) {
  console.log('--', JSON.stringify(text), show(format, [text]));
  for (const value of values) console.log(show(format, [text, value]), show(format, [value, text]));
}
for (const value of values) {
  console.log(show(format, ['%s %d', value]), show(format, ['%s', value, value]), show(format, [value, value]));
  console.log(show(formatWithOptions, [{ colors: true, compact: true, depth: 0 }, '%s %o %O', value, value, value, value]));
}
console.log(JSON.stringify(format()), format(undefined), format(null, 1), format('a', 'b'), format(1, 'b'), format('%s', undefined, null));
console.log(format('%s', 'a', 'b', { c: 1 }, [2]), format('%d:%d', 1), format('%', 1), format('%%', 1), format('%%'), format('%s%s%s', 1, 2));
for (const bad of [undefined, null, 5, 'x', true, () => {}, Symbol('s')]) console.log(show(formatWithOptions, [bad, 'x']));
console.log(show(formatWithOptions, [[], '%s', 'x']), show(formatWithOptions, [{}]), formatWithOptions.length, format.length);

'use strict';
// The newer parts of the language at work.
const show = (name, call) => {
  try {
    console.log(name, call());
  } catch (error) {
    console.log(name, error.name, error.message);
  }
};
show('Array.prototype', () => [[3, 1, 2].toSorted(), [1, 2].toReversed(), [1, 2, 3].with(1, 9), [1, 2, 3].toSpliced(1, 1), [1, 2, 3].at(-1)]);
show('groupBy', () => [Object.groupBy([1, 2, 3], (x) => (x % 2 ? 'odd' : 'even')), Map.groupBy([1, 2, 3], (x) => x % 2)]);
show('iterator helpers', () => [1, 2, 3, 4].values().filter((x) => x % 2).map((x) => x * 10).toArray());
show('iterator lazily', () => function* () { for (let i = 0; ; i++) yield i; }().drop(2).take(3).flatMap((x) => [x, -x]).toArray());
show('Iterator.from', () => Iterator.from({ next: () => ({ done: true }) }).toArray());
show('Iterator.concat', () => Iterator.concat([1], new Set([2, 3])).toArray());
show('iterator inspect', () => [1].values().map(String));
show('Set', () => [new Set([1, 2]).union(new Set([2, 3])), new Set([1, 2]).intersection(new Set([2])), new Set([1, 2]).difference(new Set([1])),
                   new Set([1]).isSubsetOf(new Set([1, 2])), new Set([1]).isDisjointFrom(new Set([2]))]);
show('Map.getOrInsert', () => {
  const map = new Map([['a', 1]]);
  return [map.getOrInsert('a', 5), map.getOrInsert('b', 5), map.getOrInsertComputed('c', (key) => `${key}!`), map];
});
show('Float16Array', () => [new Float16Array([1.1, 65504, 1e6, NaN]), Math.f16round(1.1), new DataView(new ArrayBuffer(2)).getFloat16(0)]);
show('base64', () => [new Uint8Array([1, 250]).toBase64(), Uint8Array.fromBase64('_w', { alphabet: 'base64url' }), new Uint8Array([1, 250]).toHex(),
                      Uint8Array.fromHex('0aff'), new Uint8Array(3).setFromHex('0102')]);
show('base64 wrong', () => Uint8Array.fromBase64('*'));
show('hex wrong', () => Uint8Array.fromHex('abc'));
show('RegExp.escape', () => RegExp.escape('a.b*c-1 /'));
show('modifiers', () => [/^(?i:a)b$/.test('Ab'), /^(?i:a)b$/.test('AB'), /(?-i:a)/i.test('A')]);
show('duplicate groups', () => ({ ...'2024-01'.match(/(?<y>\d{4})-\d\d|\d\d-(?<y>\d{4})/).groups }));
show('v flag', () => ['\u{1F600}'.match(/^\p{RGI_Emoji}$/v)?.length, /[[a-z]--[aeiou]]/v.test('a')]);
show('Error.isError', () => [Error.isError(new TypeError()), Error.isError({ __proto__: Error.prototype }), Error.isError(new DOMException())]);
show('Promise.try', () => Promise.try(() => 5));
show('Math.sumPrecise', () => [Math.sumPrecise([1e20, 0.1, -1e20]), 1e20 + 0.1 - 1e20, Math.sumPrecise([])]);
show('JSON.rawJSON', () => [JSON.stringify({ big: JSON.rawJSON('9007199254740993') }), JSON.isRawJSON(JSON.rawJSON('1')),
                            JSON.parse('[1.0, 2]', (key, value, { source }) => source ?? value)]);
show('well formed', () => ['a\ud800'.isWellFormed(), 'a\ud800'.toWellFormed()]);
show('buffers', () => {
  const buffer = new ArrayBuffer(2, { maxByteLength: 8 });
  buffer.resize(4);
  const moved = buffer.transfer(6);
  return [buffer.detached, moved.byteLength, moved.resizable, moved.transferToFixedLength().resizable];
});
show('using', () => {
  const order = [];
  const make = (name) => ({ [Symbol.dispose]() { order.push(name); } });
  {
    using a = make('a');
    using b = make('b');
    order.push('body');
  }
  const stack = new DisposableStack();
  stack.use(make('c'));
  stack.defer(() => order.push('d'));
  stack.dispose();
  return [order, stack.disposed];
});
show('SuppressedError', () => {
  try {
    using a = { [Symbol.dispose]() { throw new Error('later'); } };
    throw new Error('first');
  } catch (error) {
    return [error.name, error.error.message, error.suppressed.message];
  }
});
show('Temporal', () => [
  Temporal.PlainDate.from('2024-02-28').add({ days: 2 }).toString(), Temporal.Duration.from({ hours: 25 }).round('days').toString(),
  Temporal.Instant.fromEpochMilliseconds(0).toString(), new Date(0).toTemporalInstant().toString(),
  Temporal.ZonedDateTime.from('2024-03-31T01:30:00+01:00[Europe/Berlin]').add({ hours: 1 }).toString(),
  Temporal.PlainDate.compare('2024-01-01', '2024-01-02'),
]);
show('Temporal inspect', () => Temporal.PlainTime.from('12:34:56'));
show('Temporal wrong', () => Temporal.PlainDate.from('2024-02-31T25:00'));
show('Intl', () => [new Intl.DurationFormat('en', { style: 'short' }).format({ hours: 1, minutes: 2 }), new Intl.ListFormat('en').format(['a', 'b', 'c']),
                    [...new Intl.Segmenter('en', { granularity: 'word' }).segment('a b')].length, new Intl.Locale('ar').getTextInfo()]);
show('WebAssembly', () => [
  WebAssembly.validate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])), WebAssembly.validate(new Uint8Array(8)),
  new WebAssembly.Memory({ initial: 1, maximum: 2 }).grow(1), new WebAssembly.Global({ value: 'i64', mutable: true }, 5n).value,
  new WebAssembly.Table({ initial: 2, element: 'anyfunc' }).length,
]);
show('WebAssembly inspect', () => [new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])), new WebAssembly.Memory({ initial: 1 }).buffer.byteLength]);
(async () => {
  console.log('fromAsync', await Array.fromAsync((async function* () { yield 1; yield 2; })(), (x) => x * 2));
  const order = [];
  {
    await using a = { async [Symbol.asyncDispose]() { order.push('a'); } };
    order.push('body');
  }
  console.log('await using', order);
  const { promise, resolve } = Promise.withResolvers();
  resolve(7);
  console.log('withResolvers', await promise, await Promise.try(() => { throw new Error('x'); }).catch((error) => error.message));
})();

// Library functions of the engine that older ones lack.
console.log([3, 1, 2].toSorted(), [3, 1, 2].toSorted((a, b) => b - a), [1, , 3].toReversed());
console.log([1, 2, 3, 4].toSpliced(1, 2, 'a', 'b', 'c'), [1, 2].toSpliced(), [1, 2].toSpliced(1), [1, 2].toSpliced(-1, 1));
console.log([1, 2, 3].with(-1, 9), [1, 2, 3].with('1', 9));
console.log(Array.prototype.toSpliced.length, Array.prototype.with.name, Array.prototype.toSorted.length);
console.log(new Uint8Array([3, 1, 2]).toSorted(), new Float64Array([1, 2]).toReversed(), new BigInt64Array([1n]).with(0, 5n));
console.log('a\ud800b'.isWellFormed(), 'ab'.isWellFormed(), '\u{1f600}'.isWellFormed());
console.log(JSON.stringify('a\ud800b\udc00'.toWellFormed()), '\u{1f600}'.toWellFormed());
for (const wrong of [
  () => [1].with(5, 1),
  () => [1].with(-2, 1),
  () => [].toSorted(5),
  () => new Uint8Array(1).with(1, 1),
  () => Array.prototype.toReversed.call(null),
  () => new ([].toSorted)(),
]) {
  try {
    wrong();
    console.log('no error');
  } catch (error) {
    console.log(error.name);
  }
}
console.log(Object.keys(Array.prototype).length, Array.prototype.toReversed.call({ length: 2, 0: 'a', 1: 'b' }));

'use strict';

const log = (...args) => console.log(...args);
for (const init of ['', '?', 'a=1&b=2', '?a=1', '??a', 'a', '=', '&&a=1&', 'a=b=c', 'a+b=%20c%2B', '%E4%BD%A0=%e4%bd&%zz=%', '\ud800=x', { a: 1, b: [1, 2] }, [['x', 'y'], ['x', 'z']], new Map([['m', 1]]),
  new URLSearchParams('copy=1'), (function* () { yield ['g', 1]; })(), null, undefined, 5, true, new FormDataLike()]) log(new URLSearchParams(init).toString());
function FormDataLike() { this[Symbol.iterator] = function* () { yield new Set(['s', 't']); }; }

const p = new URLSearchParams('b=2&a=1&b=3&c=');
log(p.size, p.get('b'), p.get('zz'), p.getAll('b'), p.getAll('zz'), p.has('b'), p.has('b', '3'), p.has('b', '4'), p.has('zz'));
p.append('a', 'x&y=z');
p.set('b', 9);
p.delete('c');
log(String(p), p.size);
p.delete('a', '1');
p.append('\u{1f600}', '');
p.append('\uffff', '');
p.append('a', '0');
p.sort();
log(String(p));
log([...p], [...p.keys()], [...p.values()], p[Symbol.iterator] === p.entries);
p.forEach(function(value, name, all) { log(this.t, name, value, all === p); }, { t: 1 });
for (const [name] of p) if (name === 'a') p.delete('a'); // Live.
log(p, p.entries(), p.keys(), new URLSearchParams());
const it = p.values();
it.next();
log(it, it.next(), it.next(), Object.prototype.toString.call(it), Object.prototype.toString.call(p));
log(new URLSearchParams('averyveryverylongname=averyveryverylongvalue&averyveryverylongname2=averyveryverylongvalue'));

const wrong = [() => new URLSearchParams([['a']]), () => new URLSearchParams([['a', 1, 2]]), () => new URLSearchParams([1]), () => new URLSearchParams(['ab']), () => new URLSearchParams([null]),
  () => new URLSearchParams({ [Symbol.iterator]: 5 }), () => new URLSearchParams({ [Symbol('q')]: 1 }), () => new URLSearchParams({ a: Symbol('x') }), () => new URLSearchParams({ get a() { throw new Error('getter'); } }),
  () => URLSearchParams(), () => p.append(), () => p.append('x'), () => p.delete(), () => p.get(), () => p.getAll(), () => p.has(), () => p.set('x'), () => p.forEach(), () => p.forEach(5), () => p.get(Symbol('s')),
  () => URLSearchParams.prototype.size, () => URLSearchParams.prototype.toString.call({}), () => p.entries().next.call({}), () => URLSearchParams.prototype.keys.call(null)];
for (const what of wrong) {
  try { log(what()); } catch (err) { log(err.name, err.code, err.message); }
}

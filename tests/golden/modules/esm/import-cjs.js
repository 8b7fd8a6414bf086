// An ES module by its syntax: imports of CommonJS, built-ins and modules.
import * as named from '../fixtures/esm/named.cjs';
import { first, second as other, third } from '../fixtures/esm/named.cjs';
import * as interop from '../fixtures/esm/interop.cjs';
import * as reexports from '../fixtures/esm/reexports.cjs';
import * as star from '../fixtures/esm/star.cjs';
import callable, { tag } from '../fixtures/esm/function.cjs';
import nothing from '../fixtures/esm/null.cjs';
import events, { EventEmitter, once } from 'node:events';
import * as path from 'path';
import { count, increment, default as Named, 'string name' as text } from '../fixtures/esm/values.mjs';
import * as again from '../fixtures/esm/reexport.mjs';
import { createRequire } from 'node:module';
import '../fixtures/esm/order-a.mjs';

const require = createRequire(import.meta.url);
console.log(named, first, other, third);
console.log(interop, reexports, star);
console.log(callable.name, tag, nothing);
console.log(events === EventEmitter, typeof once, path.default === require('path'), path.join === require('path').join);
increment();
console.log(count, text, Named.name, again.count, again.ns === (await import('../fixtures/esm/values.mjs')));
console.log(Object.keys(again), Object.prototype.toString.call(again), Object.isSealed(again));
try {
  again.count = 5;
} catch (error) {
  console.log(error.name, error.message);
}
console.log(named.default === require('../fixtures/esm/named.cjs'));
console.log(typeof this, typeof module, typeof __filename, typeof exports, typeof arguments);
console.log((await import('../fixtures/esm/await-user.mjs')).value);
const meta = await import('../fixtures/esm/meta.mjs');
console.log(meta);
console.log((await import('../fixtures/dynamic.mjs?1')) === (await import('../fixtures/dynamic.mjs?2')));
console.log((await import('../fixtures/dynamic.mjs?1')) === (await import('../fixtures/dynamic.mjs?1')));
console.log((await import('data:text/javascript,export default typeof import.meta.filename')).default);
console.log((await import('data:text/javascript;charset=utf-8;base64,ZXhwb3J0IGRlZmF1bHQgMQ==')).default);
console.log((await import('../fixtures/noextension')).default, (await import('../fixtures/typed/plain')).default);

'use strict';
// The globals, their shapes, and what inspect shows.
const web = require('node:stream/web');
for (const [name, Class] of Object.entries(web)) {
  if (!Object.hasOwn(globalThis, name)) continue;
  const own = Object.getOwnPropertyNames(Class.prototype).filter((key) => key !== 'constructor').sort();
  const descriptor = Object.getOwnPropertyDescriptor(globalThis, name);
  console.log(name, Class.name === name, globalThis[name] === Class, descriptor.enumerable, descriptor.configurable);
  console.log('  ', own.join(' '), own.every((key) => Object.getOwnPropertyDescriptor(Class.prototype, key).enumerable), /^Text/.test(name) || Object.prototype.toString.call(Class.prototype));
}
const saved = globalThis.ReadableStream;
globalThis.ReadableStream = 1;
console.log(globalThis.ReadableStream, require('node:stream/web').ReadableStream === saved);
globalThis.ReadableStream = saved;
class Sub extends ReadableStream { extra() { return 'extra'; } }
const sub = new Sub();
console.log(sub instanceof ReadableStream, sub instanceof Sub, sub.extra(), sub.constructor === Sub, sub.locked);
const readable = new ReadableStream({ start(controller) { console.log(controller); } });
console.log(readable, new WritableStream({ start(controller) { console.log(controller); } }));
console.log(readable.getReader(), new WritableStream().getWriter());
console.log(new TransformStream());
console.log(new ByteLengthQueuingStrategy({ highWaterMark: 5 }), new CountQueuingStrategy({ highWaterMark: 'x' }));
console.log(new TextEncoderStream(), new TextDecoderStream('utf-16le', { ignoreBOM: true }));
console.log(new ByteLengthQueuingStrategy({ highWaterMark: 1 }).size(new Uint8Array(7)), new CountQueuingStrategy({ highWaterMark: 1 }).size({}));
console.log(ReadableStream.length, WritableStream.length, TransformStream.length, ReadableStream.prototype.pipeTo.length, ReadableStream.from.name);

// The exports, and what only the module has.
console.log(Object.keys(web).join());
for (const args of [[], [{}], [new ReadableStream(), 1]]) {
  try { console.log(web.ReadableStreamTee(...args)); } catch (error) { console.log(error.code, error.message); }
}
(async () => {
  for (const isCloning of [undefined, false, true]) {
    const chunk = { x: 1 };
    const source = new ReadableStream({ start(controller) { controller.enqueue(chunk); controller.close(); } });
    const [first, second] = web.ReadableStreamTee(source, isCloning);
    console.log((await first.getReader().read()).value === chunk, (await second.getReader().read()).value === chunk);
  }
})();
for (const name of ['encoding', 'readable']) {
  for (const Class of [TextDecoderStream, TextEncoderStream]) {
    try { Reflect.get(Class.prototype, name, {}); } catch (error) { console.log(error.stack.split('\n', 2).join().split(' (')[0]); }
  }
}

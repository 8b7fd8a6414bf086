'use strict';
// The order of callbacks: events of streams, callbacks of writes, ticks, promises and immediates.
const zlib = require('node:zlib');

function tick(name) {
  process.nextTick(() => console.log('tick after', name));
  Promise.resolve().then(() => console.log('promise after', name));
}
const packed = zlib.gzipSync(Buffer.alloc(40000, 'x'));
const stream = zlib.createGunzip();
let immediates = 0;
stream.on('data', (chunk) => {
  console.log('data', chunk.length);
  tick('data');
  setImmediate(() => console.log('immediate', ++immediates));
});
for (const name of ['prefinish', 'finish', 'end', 'close', 'drain']) {
  stream.on(name, () => {
    console.log(name);
    tick(name);
  });
}
stream.on('close', () => {
  zlib.gzip('abc', (error, result) => {
    console.log('gzip', error, result.length);
    tick('gzip');
    zlib.gunzip('abc', (error) => {
      console.log('gunzip', error.code, error.errno, error.message);
      tick('gunzip');
      failing();
    });
    console.log('gunzip called');
  });
  console.log('gzip called');
});
stream.write(packed.subarray(0, 20), () => {
  console.log('written first');
  tick('written first');
});
stream.write(packed.subarray(20), () => console.log('written second'));
stream.end(() => console.log('ended'));
console.log('main ends');

function failing() {
  const bad = zlib.createInflate();
  bad.on('error', (error) => console.log('error', error.code));
  bad.on('close', () => console.log('close', bad.destroyed));
  bad.write('not deflate', (error) => {
    console.log('written', error?.code);
    tick('written');
  });
  bad.end((error) => console.log('ended', error?.code));
}

'use strict';
// A stream that ends by itself emits 'close' through nextTick, after all that the end itself did.
const fs = require('fs');
const { Readable, Writable } = require('stream');

function follow(name, stream) {
  return new Promise((resolve) => {
    stream.on('end', () => {
      console.log(name, 'end');
      process.nextTick(() => console.log(name, 'tick of end'));
    });
    stream.on('finish', () => {
      console.log(name, 'finish');
      process.nextTick(() => console.log(name, 'tick of finish'));
      queueMicrotask(() => console.log(name, 'microtask of finish'));
    });
    stream.on('close', () => {
      console.log(name, 'close');
      setImmediate(resolve);
    });
  });
}

(async () => {
  const readable = Readable.from(['a']);
  readable.resume();
  await follow('Readable', readable);
  const writable = new Writable({ write(chunk, encoding, callback) { callback(); } });
  writable.end('a');
  await follow('Writable', writable);
  const read = fs.createReadStream(__filename);
  read.resume();
  await follow('ReadStream', read);
  const write = fs.createWriteStream('/dev/null');
  write.end('x');
  await follow('WriteStream', write);
  // destroy() never emits from inside the call.
  const destroyed = fs.createReadStream(__filename);
  destroyed.on('close', () => console.log('destroyed: close'));
  destroyed.destroy();
  process.nextTick(() => console.log('tick'));
  console.log('returned');
})();

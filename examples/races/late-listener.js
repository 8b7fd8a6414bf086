// An event before its listener: the loader emits 'ready' after a while, but its listener first waits for a file.
const { EventEmitter } = require('events');
const fs = require('fs');

const loader = new EventEmitter();
setTimeout(() => loader.emit('ready'), 100);

let isReady = false;
fs.stat(__filename, () => {
  loader.once('ready', () => { isReady = true; });
});

process.on('exit', () => {
  if (!isReady) throw new Error('nobody heard that the loader is ready');
});

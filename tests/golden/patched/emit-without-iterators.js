'use strict';
// emit() passes its arguments on without the iterators of arrays, which programs may replace.
const EventEmitter = require('events');

const log = console.log.bind(console);
log('start');
const original = Array.prototype[Symbol.iterator];
const lines = [];
Array.prototype[Symbol.iterator] = function() {
  lines[lines.length] = 'replaced iterator called';
  return original.call([]);
};

const capturing = new EventEmitter({ captureRejections: true });
capturing.on('event', (a, b) => { lines[lines.length] = `capturing ${a} ${b}`; });
capturing.emit('event', 1, 2);

Array.prototype[Symbol.iterator] = original;
log(lines.join('\n'));

// Several places schedule things again and again: each must keep its own place when the code is optimised, inlined into
// other functions, and moved by the garbage collector.
'use strict';
const events = new (require('events'))();
let left = 30000;
let kept = [];

function next() {
  if (--left < 0) return;
  if (left % 5000 === 0) {
    kept = [];
    globalThis.gc?.();
  }
  kept.push({ left });
  switch (left % 6) {
    case 0: setImmediate(zero); break;
    case 1: setImmediate(one); break;
    case 2: [0].forEach(() => setImmediate(two)); break;
    case 3: events.emit('three'); break;
    case 4: process.nextTick(four); break;
    default: Promise.resolve().then(five);
  }
}
function zero() { next(); }
function one() { next(); }
function two() { next(); }
function three() { next(); }
function four() { next(); }
function five() { queueMicrotask(six); }
function six() { next(); }
events.on('three', () => { setImmediate(three); });
next();

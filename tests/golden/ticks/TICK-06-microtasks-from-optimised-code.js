'use strict';
// queueMicrotask() keeps the one order of all microtasks when optimised code calls it, also around one that throws.
const count = 20000;
let next = 0;
let wrong = 0;
let thrown = 0;
const note = (i) => { if (i !== next++) wrong++; };

function queueAll() {
  for (let i = 0; i < count; i += 2) {
    queueMicrotask(() => {
      note(i);
      if (i % 5000 === 0) throw new Error(`at ${i}`);
    });
    Promise.resolve(i + 1).then(note);
  }
}

process.on('uncaughtException', (error) => {
  thrown++;
  console.log(error.message, next);
});

let round = 0;
setImmediate(function again() {
  console.log('round', round, next, wrong, thrown);
  next = 0;
  if (round++ === 3) return;
  queueAll();
  setImmediate(again);
});

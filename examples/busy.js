'use strict';
// A program with four problems, for `rondo trace` to find:
//   rondo trace examples/busy.js
//   rondo trace -o busy.html examples/busy.js
const { pbkdf2 } = require('node:crypto');
const fs = require('node:fs');
const net = require('node:net');

// 1. A callback that computes for a fifth of a second.
function buildIndex() {
  const end = Date.now() + 200;
  while (Date.now() < end);
}

// 2. A queue that is processed by ticks, and starves the loop.
function workOff(queue) {
  const end = performance.now() + 0.01;
  while (performance.now() < end);
  if (queue.length > 0) process.nextTick(workOff, queue.slice(1));
}

// 3. More work than the pool has workers.
function hashPasswords(count, done) {
  let left = count;
  for (let i = 0; i < count; i++) {
    pbkdf2(`password ${i}`, 'salt', 20_000, 32, 'sha256', function hashed() {
      if (--left === 0) done();
    });
  }
}

// 4. A server that is never closed: the program ends only by process.exit().
net.createServer().listen(0, '127.0.0.1');

setTimeout(buildIndex, 20);
setTimeout(function heartbeat() {}, 30);
fs.readFile(__filename, 'utf8', function loaded(error, text) {
  setImmediate(workOff, text.split(' ').concat(Array(3000).fill('')));
  hashPasswords(12, function finished() {
    setTimeout(() => process.exit(), 150);
  });
});

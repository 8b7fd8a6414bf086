'use strict';
// files.cjs WHAT COUNT FOLDER: operations on files, many in flight. Prints the wall-clock time and the CPU time of all
// threads per operation, in microseconds.
const fs = require('fs');
const path = require('path');

const [what, countText, folder] = process.argv.slice(2);
const count = Number(countText);
const small = path.join(folder, 'small');
const large = path.join(folder, 'large');
fs.writeFileSync(small, 'x'.repeat(1024));
fs.writeFileSync(large, Buffer.alloc(1 << 20, 'x'));

const operations = {
  'readFile': [64, (done) => fs.readFile(small, done)],
  'readFile-text': [64, (done) => fs.readFile(small, 'utf8', done)],
  'readFile-promise': [64, (done) => fs.promises.readFile(small).then(() => done(null), done)],
  'readFile-one': [1, (done) => fs.readFile(small, done)],
  'readFile-large': [4, (done) => fs.readFile(large, done)],
  'stat': [64, (done) => fs.stat(small, done)],
  'stat-promise': [64, (done) => fs.promises.stat(small).then(() => done(null), done)],
  'stat-one': [1, (done) => fs.stat(small, done)],
};

function run(total, [inFlight, start]) {
  return new Promise((resolve, reject) => {
    let started = 0;
    let ended = 0;
    function next() {
      started++;
      start(done);
    }
    function done(error) {
      if (error) return reject(error);
      if (++ended === total) resolve();
      else if (started < total) next();
    }
    for (let i = 0; i < inFlight && i < total; i++) next();
  });
}

function runSync(total, start) {
  for (let i = 0; i < total; i++) start();
}

const synchronous = {
  'statSync': () => fs.statSync(small),
  'existsSync': () => fs.existsSync(small),
  'readFileSync': () => fs.readFileSync(small, 'utf8'),
};

(async () => {
  const go = synchronous[what] ? (n) => runSync(n, synchronous[what]) : (n) => run(n, operations[what]);
  await go(Math.ceil(count / 4));
  const used = process.cpuUsage();
  const start = process.hrtime.bigint();
  await go(count);
  const elapsed = Number(process.hrtime.bigint() - start) / 1000;
  const { user, system } = process.cpuUsage(used);
  console.log(`${elapsed / count} ${(user + system) / count}`);
  process.exit(0);
})();

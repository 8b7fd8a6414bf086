'use strict';
// With a pool of one, other operations run between the steps of a recursive operation, and see what it has done so far.
process.env.UV_THREADPOOL_SIZE = '1';
const fs = require('fs');
const os = require('os');
const path = require('path');

process.chdir(fs.mkdtempSync(path.join(os.tmpdir(), 'steps-')));
const found = (error) => (error ? error.code : 'found');

// Stats a path again and again, one job at a time, until `isOver()`; returns what it found, without repetitions.
function observe(name, isOver, done) {
  const seen = [];
  const again = () => fs.stat(name, (error) => {
    if (seen.at(-1) !== found(error)) seen.push(found(error));
    if (isOver()) done(`${name}: ${seen.join(', ')}`);
    else again();
  });
  again();
}

function makeDirectories(done) {
  let isMade = false;
  fs.mkdir('a/b/c', { recursive: true }, () => { isMade = true; });
  fs.stat('a', (error) => console.log('a, after the first step:', found(error)));
  fs.mkdir('a/b', { recursive: true }, (error, first) => console.log('a second mkdir made', path.basename(first ?? 'nothing')));
  observe('a/b', () => isMade, (text) => { console.log(text); done(); });
}

function removeTree(done) {
  let isRemoved = false;
  fs.writeFileSync('a/file', '');
  fs.rm('a', { recursive: true }, () => { isRemoved = true; });
  fs.stat('a/file', (error) => console.log('a/file, after the first step:', found(error)));
  fs.stat('a/b/c', (error) => console.log('a/b/c, after the first step:', found(error)));
  observe('a', () => isRemoved, (text) => { console.log(text); done(); });
}

function removeFile(done) {
  fs.writeFileSync('single', '');
  fs.rm('single', () => {
    console.log('removed:', !fs.existsSync('single'));
    done();
  });
  fs.stat('single', (error) => console.log('single, after the first step:', found(error)));
}

makeDirectories(() => removeTree(() => removeFile(() => fs.rmdirSync(process.cwd()))));

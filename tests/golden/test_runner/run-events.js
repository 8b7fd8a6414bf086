'use strict';
// run(): files in processes of their own, and one stream of events.
const { run } = require('node:test');
const path = require('path');
const folder = path.join(__dirname, 'fixtures');
const files = ['few.js', 'none.js', 'throws.js', 'exits.js'].map((name) => path.join(folder, name));
const stream = run({ files, concurrency: 1 });
console.log(stream.constructor.name);
const short = (text) => text?.replace(`${folder}/`, '');
const counts = {};
stream.on('test:pass', (data) => { counts.pass = (counts.pass ?? 0) + 1; });
stream.on('test:fail', (data) => { counts.fail = (counts.fail ?? 0) + 1; });
stream.on('data', ({ type, data }) => {
  if (type === 'test:stderr' || /^duration_ms/.test(data.message)) return;
  if (/enqueue|dequeue/.test(type)) return;
  const { details } = data;
  const error = details?.error;
  console.log(type, data.nesting, short(data.name), data.testNumber, short(data.file), data.line, data.column, data.count,
              data.message, data.skip, data.todo, details?.type, details?.passed, typeof details?.duration_ms,
              error && [error.code, error.failureType, error.cause?.message ?? error.cause, error.exitCode, error.signal]);
});
stream.on('end', () => console.log('end', counts));

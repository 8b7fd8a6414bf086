// A callback that is called twice: once because of the timeout, and again when the file was read after all.
const fs = require('fs');

function readWithin(milliseconds, file, callback) {
  const timer = setTimeout(() => callback(new Error('too slow')), milliseconds);
  fs.readFile(file, 'utf8', (error, text) => {
    clearTimeout(timer);
    callback(error, text);
  });
}

let calls = 0;
readWithin(500, __filename, () => {
  if (++calls > 1) throw new Error('the callback was called twice');
});

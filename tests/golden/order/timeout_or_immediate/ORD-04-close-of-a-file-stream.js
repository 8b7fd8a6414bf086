'use strict';
// The descriptor is closed by an operation, whose callback comes in poll: the check phase is next, however late the timer is.
const fs = require('fs');

function race(name) {
  return new Promise((resolve) => {
    let left = 2;
    const done = (what) => {
      console.log(name, what);
      if (--left === 0) resolve();
    };
    setTimeout(done, 0, 'timeout');
    setImmediate(done, 'immediate');
    for (const end = Date.now() + 5; Date.now() < end;);
  });
}

(async () => {
  await new Promise((resolve) => fs.createReadStream(__filename).on('close', () => resolve(race('read'))).resume());
  await new Promise((resolve) => fs.createWriteStream('/dev/null').on('close', () => resolve(race('write'))).end('x'));
  await new Promise((resolve) => {
    const stream = fs.createReadStream(__filename);
    stream.on('close', () => resolve(race('destroyed')));
    stream.on('data', () => stream.destroy());
  });
  await new Promise((resolve) => {
    const stream = fs.createReadStream(__filename);
    stream.on('close', () => resolve(race('destroyed when it opened')));
    stream.on('open', () => stream.destroy());
  });
})();

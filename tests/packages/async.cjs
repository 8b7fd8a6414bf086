'use strict';
const async = require('async');

async.waterfall([
  (done) => setImmediate(done, null, 1),
  (n, done) => process.nextTick(done, null, n + 1),
  async (n) => n * 10,
], (error, result) => {
  console.log('waterfall', error, result);
  const seen = [];
  const queue = async.queue((task, done) => { seen.push(task); setTimeout(done, 1); }, 2);
  queue.drain(() => {
    console.log('queue', seen.join());
    async.auto({
      a: (done) => done(null, 'A'),
      b: ['a', ({ a }, done) => setTimeout(() => done(null, `${a}B`), 2)],
      c: ['a', 'b', ({ a, b }, done) => done(null, a + b)],
    }, (failed, all) => {
      console.log('auto', failed, all);
      async.retry({ times: 3, interval: 1 }, (done) => done(new Error('again')),
        (last) => console.log('retry', last.message));
    });
  });
  for (let i = 0; i < 6; i++) queue.push(i);
});
async.mapLimit([3, 1, 2], 2, async (n) => n * n).then((squares) => console.log('mapLimit', squares));

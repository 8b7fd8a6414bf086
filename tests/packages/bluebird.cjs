'use strict';
const Bluebird = require('bluebird');
const fs = require('fs');

const readFile = Bluebird.promisify(fs.readFile);
Bluebird.map([1, 2, 3, 4], (n) => Bluebird.delay(n % 2).then(() => n * 2), { concurrency: 2 })
  .then((list) => console.log('map', list))
  .then(() => readFile(__filename, 'utf8'))
  .then((text) => console.log('promisify', text.startsWith("'use strict'")))
  .then(() => Bluebird.reduce([1, 2, 3], (sum, n) => sum + n, 0))
  .then((sum) => console.log('reduce', sum))
  .then(() => Bluebird.delay(1000).timeout(5, 'too slow'))
  .catch(Bluebird.TimeoutError, (error) => console.log('timeout', error.message))
  .then(() => Bluebird.props({ a: Bluebird.resolve(1), b: 2 }))
  .then((all) => console.log('props', all))
  .then(() => Bluebird.using(Bluebird.resolve('thing').disposer(() => console.log('disposed')),
    (thing) => console.log('using', thing)))
  .finally(() => console.log('finally'));
process.on('unhandledRejection', (reason) => console.log('unhandled', reason.message));
new Bluebird((resolve, reject) => reject(new Error('nobody')));

'use strict';
// A TLS socket reports its writes in the check phase, before the immediates of the program, also those that the callback
// of a write makes. All of these reports count as one callback: ticks run after the last one.
const { connect } = require('../fixtures/keys');

connect({}, {}, (client, other) => {
  client.resume();
  other.resume();
  setImmediate(() => {
    client.write('a', () => {
      console.log('first');
      process.nextTick(() => console.log('tick'));
      client.write('b', () => {
        console.log('second');
        client.write('c', () => console.log('third'));
      });
    });
    setImmediate(() => {
      console.log('immediate');
      client.end();
    });
  });
}, () => {});

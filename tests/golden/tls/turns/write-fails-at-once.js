'use strict';
// The peer has ended and then reset the connection: a write that fails inside the call is an error of the socket, which
// the callbacks of all waiting writes get.
const { connect } = require('../fixtures/keys');

connect({}, {}, (client, other) => {
  const show = (name) => (error) => console.log(name, error?.code);
  for (const event of ['end', 'finish', 'close']) other.on(event, () => console.log(event));
  other.resume();
  setImmediate(() => {
    other.write('a', show('first'));
    other.write('b', show('second'));
    other.write('c', show('third'));
    client.end(show('end of the client'));
    client.write('d', show('write after the end'));
    setImmediate(() => console.log('immediate'));
  });
}, () => console.log('server closed'));

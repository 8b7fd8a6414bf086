'use strict';
// close() or a second listen() before the host of listen() is looked up: the first listen() has no effect.
const net = require('net');

const taken = net.createServer().listen(0, '127.0.0.1', () => {
  const { port } = taken.address();
  const closed = net.createServer();
  for (const event of ['listening', 'error', 'close']) closed.on(event, (error) => console.log('closed:', event, error?.code));
  closed.listen(port, '127.0.0.1');
  closed.close((error) => console.log('closed: callback', error?.code));

  const twice = net.createServer();
  for (const event of ['listening', 'error', 'close']) twice.on(event, (error) => console.log('twice:', event, error?.code));
  twice.listen(port, '127.0.0.1').listen(0, '127.0.0.1');
  setImmediate(() => {
    console.log('immediate');
    twice.close();
    taken.close();
  });
});

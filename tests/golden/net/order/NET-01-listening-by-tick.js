// listen() binds at once and emits by a tick: a listener added afterwards is still called.
const net = require('node:net');

const server = net.createServer();
server.listen(0);
console.log('bound:', server.listening, typeof server.address().port);
server.on('listening', () => {
  console.log('listening');
  server.close();
});
process.nextTick(() => console.log('a tick that was queued after listen()'));
Promise.resolve().then(() => console.log('a promise'));
setTimeout(() => console.log('a timeout'), 0);
console.log('end of the script');

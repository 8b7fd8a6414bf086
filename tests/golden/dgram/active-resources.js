// The lists of active handles and requests.
const dgram = require('node:dgram');
const socket = dgram.createSocket('udp4');
const list = () => process.getActiveResourcesInfo().filter((name) => /UDP|Send/.test(name));
console.log(list());
socket.bind(0, '127.0.0.1', () => {
  console.log(list(), process._getActiveHandles().includes(socket));
  socket.connect(socket.address().port, '127.0.0.1', () => {
    socket.send('x', () => socket.close());
    console.log(list(), process._getActiveRequests().map(({ constructor }) => constructor.name));
  });
});

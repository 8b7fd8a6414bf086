// The sizes of the kernel's buffers, and the errors of setting them.
const dgram = require('node:dgram');
const attempt = (name, what) => {
  try {
    console.log(name, what());
  } catch (error) {
    const { errno, syscall, info } = error;
    console.log(name, `${error.name} ${error.code}: ${error.message}`, errno, syscall, info);
  }
};
const names = ['getRecvBufferSize', 'getSendBufferSize', 'setRecvBufferSize', 'setSendBufferSize'];
const unbound = dgram.createSocket('udp4');
for (const name of names) attempt(name, () => unbound[name](4096));
unbound.close();
const socket = dgram.createSocket({ type: 'udp4', recvBufferSize: 10000, sendBufferSize: 12000 });
socket.bind(0, '127.0.0.1', () => {
  console.log(socket.getRecvBufferSize(), socket.getSendBufferSize());
  socket.setRecvBufferSize(9000);
  socket.setSendBufferSize(8000);
  console.log(socket.getRecvBufferSize(), socket.getSendBufferSize());
  for (const size of [-1, 1.5, NaN, Infinity, 'x', null, undefined, 2 ** 31, 2 ** 32]) {
    attempt(`setRecvBufferSize(${size})`, () => socket.setRecvBufferSize(size));
    attempt(`setSendBufferSize(${size})`, () => socket.setSendBufferSize(size));
  }
  console.log(socket.getSendQueueSize(), socket.getSendQueueCount());
  socket.close();
  for (const name of names) attempt(name, () => socket[name](4096));
});

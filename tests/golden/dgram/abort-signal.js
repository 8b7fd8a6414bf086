// An aborted signal closes the socket, once.
const dgram = require('node:dgram');
const { getEventListeners } = require('node:events');

const early = dgram.createSocket({ type: 'udp4', signal: AbortSignal.abort() });
early.on('close', () => console.log('early closed'));
const controller = new AbortController();
const { signal } = controller;
const socket = dgram.createSocket({ type: 'udp4', signal });
const other = dgram.createSocket({ type: 'udp4', signal });
console.log(getEventListeners(signal, 'abort').length);
socket.on('close', () => console.log('closed', getEventListeners(signal, 'abort').length));
other.close(() => console.log('other closed', getEventListeners(signal, 'abort').length));
socket.bind(0, '127.0.0.1', () => {
  controller.abort();
  console.log('aborted');
  controller.abort();
  try {
    socket.address();
  } catch (error) {
    console.log(error.code);
  }
});

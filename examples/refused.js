// A port without a listener. The kernel knows at once; the program gets the error from the loop, in the pending phase,
// after it has had time to add its listeners.
//   ./dev run examples/refused.js
'use strict';
const net = require('node:net');

const socket = net.connect({ port: 1, host: '127.0.0.1' });
console.log('connect() has returned, and has not thrown');
socket.on('error', (error) => console.log(error.message));
socket.on('close', (hadError) => console.log('closed, with an error:', hadError));
process.nextTick(() => console.log('a tick comes before that'));

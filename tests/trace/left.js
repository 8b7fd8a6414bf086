// Ends although something would keep it alive.
'use strict';
const net = require('net');
setTimeout(function never() {}, 1e6);
setTimeout(function unheeded() {}, 1e6).unref();
clearTimeout(setTimeout(function cancelled() {}, 1e6));
const server = net.createServer();
server.listen(0, () => process.exit(3));

'use strict';
// Clients load tls whether they use it or not; using it throws.
const tls = require('tls');
const net = require('net');

console.log(new net.Socket() instanceof tls.TLSSocket, tls.TLSSocket.prototype instanceof net.Socket);
for (const use of [() => tls.connect(443), () => tls.createServer(), () => new tls.TLSSocket(), () => tls.createSecureContext()]) {
  try {
    use();
  } catch (error) {
    console.log(error.code, error.message);
  }
}

// Exceptions of connect().
const net = require('node:net');

function attempt(name, fn) {
  try {
    const socket = fn();
    console.log(name, 'was accepted');
    socket.on('error', () => {});
    socket.destroy();
  } catch (error) {
    console.log(name, '|', error.name, error.code, error.message);
  }
}
const host = '127.0.0.1';
attempt('nothing', () => net.connect());
attempt('empty', () => net.connect({}));
attempt('port text', () => net.connect({ port: 'abc' }));
attempt('port boolean', () => net.connect({ port: true }));
attempt('port object', () => net.connect({ port: {} }));
attempt('port negative', () => net.connect(-1));
attempt('port large', () => net.connect(65536));
attempt('port fraction', () => net.connect({ port: 1.5, host }));
attempt('port huge', () => net.connect(1e300));
attempt('port NaN', () => net.connect(NaN));
attempt('path number', () => net.connect({ path: 5 }));
attempt('path object', () => net.connect({ path: {} }));
attempt('local address', () => net.connect({ port: 1, localAddress: 'x' }));
attempt('local port', () => net.connect({ port: 1, localPort: 'x' }));
attempt('lookup', () => net.connect({ port: 1, host: 'foo', lookup: 5 }));
attempt('family', () => net.connect({ port: 1, host: 'foo', family: 12345 }));
attempt('hints', () => net.connect({ port: 1, host: 'foo', hints: 12345 }));
attempt('host', () => net.connect({ port: 1, host: 5 }));
attempt('autoSelectFamily', () => net.connect({ port: 1, host: 'foo', autoSelectFamily: 1 }));
attempt('attempt timeout 0', () => net.connect({ port: 1, host: 'foo', autoSelectFamilyAttemptTimeout: 0 }));
attempt('attempt timeout text', () => net.connect({ port: 1, host: 'foo', autoSelectFamilyAttemptTimeout: 'x' }));
attempt('timeout', () => net.connect({ port: 1, host, timeout: 'x' }));
attempt('signal', () => net.connect({ port: 1, host, signal: 5 }));
attempt('getter', () => net.connect({ get port() { throw new TypeError('thrown by a getter'); } }));

'use strict';
// keylog, OCSP, and what a server may do with them.
const tls = require('tls');
const { connect, pair } = require('./fixtures/keys');

function keys(done) {
  const lines = [];
  const server = connect({}, {}, (client) => {
    setImmediate(() => client.end());
  }, () => {
    console.log(lines.sort().join('\n'));
    done();
  });
  server.on('keylog', (line, socket) => lines.push(`${line.toString().split(' ')[0]} ${line.at(-1)} ${socket instanceof tls.TLSSocket}`));
}
function status(answer, done) {
  const server = connect({}, { requestOCSP: true }, (client) => client.end(), done);
  server.on('OCSPRequest', (certificate, issuer, callback) => {
    console.log('OCSPRequest', certificate.length > 300, issuer.length > 300);
    answer(callback);
  });
  const { connect: before } = tls;
  server.on('listening', () => {
    setImmediate(() => {});
  });
  return before;
}
function client(done) {
  const server = tls.createServer(pair('server'), (socket) => socket.end());
  server.on('OCSPRequest', (certificate, issuer, callback) => setImmediate(callback, null, Buffer.from('response')));
  server.listen(0, '127.0.0.1', () => {
    const socket = tls.connect({ port: server.address().port, host: '127.0.0.1', ca: require('./fixtures/keys').ca, requestOCSP: true });
    socket.on('OCSPResponse', (response) => console.log('OCSPResponse', String(response)));
    socket.on('close', () => server.close(done));
    socket.resume();
  });
}
keys(() => status((callback) => callback(null, null), () => client(() => status((callback) => callback(new Error('no')), () => {}))));

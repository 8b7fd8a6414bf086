'use strict';
// TLS over other streams: a Duplex, a socket that is given, TLS inside TLS, and both roles of TLSSocket.
const net = require('net');
const tls = require('tls');
const { Duplex, duplexPair } = require('stream');
const { ca, pair } = require('./fixtures/keys');

const secureContext = tls.createSecureContext(pair('server'));
const finished = (stream) => new Promise((resolve) => stream.on('close', resolve));

async function exchange(title, a, b) {
  const server = new tls.TLSSocket(a, { isServer: true, secureContext });
  const client = tls.connect({ socket: b, ca, servername: 'localhost' });
  server.on('data', (data) => server.end(`${title} ${data.length}`));
  client.on('secureConnect', () => client.write(Buffer.alloc(200_000, 1)));
  let received = '';
  let size = 0;
  server.removeAllListeners('data');
  server.on('data', (data) => {
    size += data.length;
    if (size === 200_000) server.end(`${title} ${size}`);
  });
  client.on('data', (data) => { received += data; });
  client.on('end', () => console.log(received));
  await Promise.all([finished(server), finished(client)]);
  console.log(title, 'closed', server.destroyed, client.destroyed);
}

(async () => {
  await exchange('duplex', ...duplexPair());
  const listener = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => listener.on('listening', resolve));
  const connected = async () => {
    const near = net.connect(listener.address().port, '127.0.0.1');
    const far = await new Promise((resolve) => listener.once('connection', resolve));
    return [far, near];
  };
  await exchange('socket', ...await connected());

  // A connection inside a connection.
  const [far, near] = await connected();
  const outerServer = new tls.TLSSocket(far, { isServer: true, secureContext });
  const outerClient = tls.connect({ socket: near, ca, servername: 'localhost' });
  await new Promise((resolve) => outerClient.on('secureConnect', resolve));
  await exchange('inside', outerServer, outerClient);
  listener.close();

  // Streams of objects and texts cannot carry bytes.
  const texts = new Duplex({ read() {}, write(chunk, encoding, callback) { callback(); } });
  texts.setEncoding('utf8');
  const client = tls.connect({ socket: texts });
  client.on('error', (error) => { console.log(error.code, error.message); client.destroy(); });
  texts.push('text');
})();

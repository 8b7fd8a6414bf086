'use strict';
// Sessions: pings, GOAWAY, properties, and what they refuse once they are closed.
const http2 = require('http2');

const describe = (error) => (error ? `${error.name} ${error.code} ${error.message}` : error);
function failure(fn) {
  try {
    return fn();
  } catch (error) {
    return describe(error);
  }
}

const server = http2.createServer();
server.on('session', (session) => {
  console.log('server', session.type, session.closed, session.destroyed, session.encrypted, session.alpnProtocol, session.originSet);
  session.on('ping', (payload) => console.log('server ping', payload.length, payload.toString().startsWith('12345')));
  session.on('goaway', (code, last, data) => console.log('server goaway', code, last, data && `${data}`));
  session.on('error', (error) => console.log('server session error', describe(error)));
  session.on('close', () => {
    console.log('server session close', session.goawayCode, session.goawayLastStreamID, session.socket === session.socket);
  });
  for (const [alt, origin] of [[1, 'http://a'], ['h2=":1"', 'x:'], ['\u0001', 'http://a'], ['h2', 0], ['h2', 2 ** 33],
                               ['h2', {}], ['h2', { origin: '' }], ['x'.repeat(16383), 'http://a'], ['h2', null]]) {
    console.log(failure(() => session.altsvc(alt, origin)));
  }
  console.log(failure(() => session.origin('x:')), failure(() => session.origin(1)), failure(() => session.origin({ origin: 'null' })));
  console.log(session.origin(), failure(() => session.origin('http://' + 'a'.repeat(17000))));
  session.altsvc('h2=":8000"', 'http://example.org:80/path');
});
server.on('sessionError', (error) => console.log('sessionError', describe(error)));
server.on('stream', (stream) => {
  stream.respond();
  stream.end('ok');
});
server.listen(0, '127.0.0.1', () => {
  const client = http2.connect(`http://127.0.0.1:${server.address().port}`, () => {
    console.log('connected', client.type, client.socket.remotePort === server.address().port);
    for (const name of ['write', 'end', 'read', 'pause', 'setNoDelay', 'emit']) console.log(failure(() => client.socket[name]));
    console.log(failure(() => { client.socket.resume = 1; }));
    const { nextStreamID, lastProcStreamID, outboundQueueSize, localWindowSize, remoteWindowSize } = client.state;
    console.log({ nextStreamID, lastProcStreamID, outboundQueueSize, localWindowSize, remoteWindowSize });
    for (const id of [0, -1, 2 ** 32, 'x']) console.log(failure(() => client.setNextStreamID(id)));
    for (const size of [-1, 2 ** 31, 'x']) console.log(failure(() => client.setLocalWindowSize(size)));
    client.setLocalWindowSize(100000);
    console.log(client.state.effectiveLocalWindowSize, client.state.localWindowSize);
    for (const args of [[], [1], ['x', () => {}], [Buffer.alloc(7), () => {}]]) console.log(failure(() => client.ping(...args)));
    console.log(client.ping(Buffer.from('12345678'), (error, duration, payload) => {
      console.log('pong', error, typeof duration, `${payload}`);
      for (let i = 0; i < 11; i++) {
        console.log(i, client.ping((failed) => { if (failed) console.log(describe(failed)); }));
      }
      for (const args of [['x'], [0, 'x'], [0, 0, 'x']]) console.log(failure(() => client.goaway(...args)));
      client.goaway(0, 0, Buffer.from('bye'));
      const request = client.request();
      request.on('response', () => console.log('response after own goaway'));
      request.on('error', (failed) => console.log('request error', describe(failed)));
      request.on('close', () => {
        console.log(client.destroyed);
        client.destroy(new Error('client error'));
        client.destroy();
        console.log(client.destroyed, client.closed, client.connecting, client.state, failure(() => client.ping(() => {})));
        console.log(failure(() => client.goaway()), failure(() => client.setNextStreamID(3)), client.setTimeout(1) === client);
        client.request().on('error', (late) => console.log('late request', describe(late)));
      });
      request.resume();
    }));
  });
  client.on('altsvc', (alt, origin, stream) => console.log('altsvc', alt, origin, stream));
  client.on('error', (error) => console.log('client error', describe(error)));
  client.on('goaway', (code, last) => console.log('client goaway', code, last));
  client.on('close', () => {
    console.log('client close');
    console.log(failure(() => client.socket.remotePort));
    server.close();
  });
});

'use strict';
// Sockets that are destroyed at different moments of a session.
const http2 = require('http2');
const net = require('net');

const moments = ['before connect', 'at connect', 'at session', 'at stream', 'after headers', 'during upload',
                 'during download', 'with an error', 'reset', 'after goaway', 'server destroys'];

function run(moment) {
  return new Promise((resolve) => {
    const events = [];
    const note = (text) => events.push(text);
    const describe = (error) => `${error.code ?? error.message}`;
    const server = http2.createServer();
    let open = 2;
    let hasSession = false;
    const done = () => {
      if (--open > 0) return;
      console.log(moment, events.sort());
      resolve();
    };
    let socket;
    server.on('session', (session) => {
      hasSession = true;
      session.on('error', (error) => note(`server session error ${describe(error)}`));
      session.on('close', () => note('server session close'));
      if (moment === 'at session') socket.destroy();
    });
    server.on('stream', (stream) => {
      stream.on('error', (error) => note(`server stream error ${describe(error)}`));
      stream.on('aborted', () => note('server stream aborted'));
      stream.on('close', () => note('server stream close'));
      if (moment === 'at stream') socket.destroy();
      if (moment === 'with an error') socket.destroy(new Error('socket error'));
      if (moment === 'reset') socket.resetAndDestroy();
      if (moment === 'server destroys') stream.session.destroy();
      if (stream.destroyed) return;
      stream.respond();
      if (moment === 'during download') stream.write(Buffer.alloc(1e6));
      stream.resume();
    });
    server.on('close', done);
    server.listen(0, '127.0.0.1', () => {
      socket = net.connect(server.address().port, '127.0.0.1');
      const client = http2.connect('http://127.0.0.1', { createConnection: () => socket });
      client.on('error', (error) => note(`client error ${describe(error)}`));
      client.on('close', () => {
        note(`client close ${client.destroyed}`);
        server.close();
        done();
      });
      client.on('connect', () => {
        note('client connect');
        if (moment === 'at connect') socket.destroy();
      });
      const request = client.request({ ':method': 'POST' });
      request.on('error', (error) => note(`request error ${describe(error)}`));
      request.on('aborted', () => note('request aborted'));
      request.on('close', () => note(`request close ${request.rstCode}`));
      request.on('response', () => {
        if (moment === 'after headers') socket.destroy();
        if (moment === 'after goaway') {
          client.goaway(0);
          setImmediate(() => socket.destroy());
        }
      });
      request.on('data', () => {
        if (moment === 'during download') socket.destroy();
      });
      request.write(Buffer.alloc(moment === 'during upload' ? 1e6 : 10));
      if (moment === 'during upload') request.on('response', () => socket.destroy());
      if (moment === 'before connect') socket.destroy();
    });
  });
}

(async () => {
  for (const moment of moments) await run(moment);
})();

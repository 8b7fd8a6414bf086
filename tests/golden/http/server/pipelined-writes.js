'use strict';
// Pipelined responses that are complete before the first one has been sent: each finishes by itself, and listeners may
// write to the socket, end it or destroy it in between.
const http = require('http');
const { exchange, show } = require('../fixtures/raw');

const log = console.log;
const acts = {
  'nothing': () => {},
  'write': (socket) => socket.write('<between>'),
  'write with callback': (socket) => socket.write('<between>', () => log('  written', socket.bytesWritten)),
  'end': (socket) => socket.end('<end>'),
  'destroy': (socket) => socket.destroy(),
  'destroySoon': (socket) => socket.destroySoon(),
  'error': (socket) => socket.destroy(new Error('on purpose')),
};

(async () => {
  for (const [name, act] of Object.entries(acts)) {
    for (const last of [false, true]) {
      log(name, last);
      const waiting = [];
      const server = http.createServer((request, response) => {
        response.sendDate = false;
        const { socket } = request;
        const number = waiting.push(response);
        for (const event of ['finish', 'close']) {
          response.on(event, () => {
            log(`  ${number} ${event}`, socket.bytesWritten, socket.writableLength);
            if (event === 'finish' && number === 3) act(socket);
          });
        }
        if (last && number === 4) response.shouldKeepAlive = false;
        if (number < 6) return;
        for (const waits of waiting.toReversed()) waits.end(`body ${waiting.indexOf(waits) + 1}`);
      });
      server.on('clientError', (error) => log('  clientError', error.message));
      await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
      const get = 'GET / HTTP/1.1\r\nHost: a\r\n';
      show(await exchange(server.address().port, `${`${get}\r\n`.repeat(5)}${get}Connection: close\r\n\r\n`));
      await new Promise((resolve) => server.close(resolve));
    }
  }
})();

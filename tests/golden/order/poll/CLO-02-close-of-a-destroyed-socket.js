// 'close' of a destroyed socket comes from the closing phase: behind ticks, promises and the immediates of this turn. That
// of a stream without a handle comes by a tick.
const net = require('node:net');
const { Readable } = require('node:stream');

const server = net.createServer((socket) => socket.resume().on('error', () => {}));
server.listen(0, '127.0.0.1', () => {
  const socket = net.connect(server.address().port, '127.0.0.1', () => {
    const log = [];
    socket.on('close', (hadError) => {
      log.push(`close ${hadError}`);
      console.log(log.join(', '));
      other(() => server.close(() => console.log('closed')));
    });
    setImmediate(() => log.push('immediate'));
    socket.destroy();
    process.nextTick(() => log.push('tick'));
    Promise.resolve().then(() => log.push('promise'));
    log.push('end of the callback');
  });
});

function other(done) {
  const log = [];
  const stream = new Readable({ read() {} });
  stream.on('close', () => log.push('close'));
  setImmediate(() => {
    log.push('immediate');
    console.log(log.join(', '));
    done();
  });
  stream.destroy();
  process.nextTick(() => log.push('tick'));
  log.push('end of the callback');
}

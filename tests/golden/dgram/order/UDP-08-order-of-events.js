// bind() answers by a tick, bindSync() and connectSync() at once with their events as ticks.
const dgram = require('node:dgram');
const log = (...words) => console.log(...words);

const socket = dgram.createSocket('udp4');
socket.on('listening', () => log('listening', socket.address().port > 0));
log(socket.bind(0, () => log('callback of bind')) === socket);
try {
  socket.address();
} catch (error) {
  log(error.message);
}
process.nextTick(() => log('tick after bind()'));
Promise.resolve().then(() => log('promise'));
setImmediate(() => {
  log('immediate');
  socket.close(() => log('closed'));
  try {
    socket.close();
  } catch (error) {
    log(error.code);
  }
  process.nextTick(() => log('tick after close()'));
  setImmediate(synchronous);
});

function synchronous() {
  const one = dgram.createSocket('udp4');
  const two = dgram.createSocket('udp4');
  one.on('listening', () => log('one listens'));
  two.on('listening', () => log('two listens'));
  two.on('connect', () => log('two is connected'));
  const { address, family, port } = one.bindSync({ address: '127.0.0.1' });
  log(address, family, port === one.address().port);
  log(two.connectSync(port));
  log(two.remoteAddress().port === port);
  one.on('message', (message) => {
    log('message', String(message));
    one.close();
    two.close();
  });
  two.send('hello', () => log('sent'));
  process.nextTick(() => log('tick'));
  for (const wrong of [() => one.bindSync(), () => one.bind(), () => two.connectSync(port)]) {
    try {
      wrong();
    } catch (error) {
      log(error.code, error.message);
    }
  }
}

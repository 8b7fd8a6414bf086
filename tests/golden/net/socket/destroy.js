// destroy() in every state.
const net = require('node:net');

const server = net.createServer((socket) => {
  socket.on('error', () => {});
  socket.resume();
});
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  const run = (name, act) => new Promise((resolve) => {
    const log = [];
    const socket = net.connect(port, '127.0.0.1');
    for (const kind of ['connect', 'ready', 'end', 'finish', 'error', 'timeout']) {
      socket.on(kind, (arg) => log.push(arg ? `${kind} ${arg.message}` : kind));
    }
    socket.on('close', (hadError) => {
      log.push(`close ${hadError}`);
      setImmediate(() => {
        console.log(name, log, socket.destroyed, socket.readyState, socket.closed, socket.errored?.message);
        resolve();
      });
    });
    act(socket, log);
  });
  await run('at once', (socket) => socket.destroy());
  await run('at once, with an error', (socket) => socket.destroy(new Error('mine')));
  await run('twice', (socket) => socket.destroy().destroy(new Error('too late')));
  await run('in a tick', (socket) => process.nextTick(() => socket.destroy()));
  await run('when connected', (socket) => socket.on('connect', () => socket.destroy()));
  await run('when ready, with an error', (socket) => socket.on('ready', () => socket.destroy(new Error('mine'))));
  await run('while writing', (socket, log) => socket.on('connect', () => {
    socket.write('x', (error) => log.push(`written ${error?.code}`));
    socket.destroy();
  }));
  await run('after end()', (socket) => socket.on('connect', () => {
    socket.end('x');
    socket.destroy();
  }));
  await run('destroySoon()', (socket, log) => socket.on('connect', () => {
    socket.write('x', () => log.push('written'));
    socket.destroySoon();
  }));
  await run('write after it', (socket, log) => socket.on('connect', () => {
    socket.destroy();
    log.push(socket.write('x', (error) => log.push(`written ${error.code}`)));
  }));
  await run('end after it', (socket, log) => socket.on('connect', () => {
    socket.destroy();
    socket.end('x', (error) => log.push(`ended ${error?.code}`));
  }));
  server.close(() => console.log('closed'));
});

// A peer that resets, in several states.
const net = require('node:net');

async function run(name, onServer, onClient) {
  await new Promise((resolve) => {
    const logs = { server: [], client: [] };
    let open = 2;
    const watch = (socket, log) => {
      socket.on('error', (error) => log.push(`error ${error.code} ${error.syscall} ${error.message}`));
      socket.on('end', () => log.push('end'));
      socket.on('close', (hadError) => {
        log.push(`close ${hadError}`);
        if (--open === 0) server.close(() => {
          console.log(name, logs);
          resolve();
        });
      });
    };
    const server = net.createServer((socket) => {
      watch(socket, logs.server);
      onServer(socket, logs.server);
    });
    server.listen(0, '127.0.0.1', () => {
      const client = net.connect(server.address().port, '127.0.0.1');
      watch(client, logs.client);
      onClient(client, logs.client);
    });
  });
}

(async () => {
  await run('while reading', (socket) => socket.resume(), (client) => {
    client.on('connect', () => setTimeout(() => client.resetAndDestroy(), 20));
  });
  await run('with bytes on the way', (socket, log) => socket.on('data', (chunk) => log.push(`data ${chunk}`)), (client) => {
    client.on('connect', () => client.write('x', () => setTimeout(() => client.resetAndDestroy(), 20)));
  });
  await run('by the server', (socket) => setTimeout(() => socket.resetAndDestroy(), 20), (client) => client.resume());
  await run('half-open', (socket) => {
    socket.resume();
    socket.on('end', () => {});
  }, (client) => {
    client.on('connect', () => {
      client.allowHalfOpen = true;
      client.end();
    });
    client.on('end', () => {});
  });
  await run('before it is connected', (socket) => socket.resume(), (client, log) => {
    log.push(client.resetAndDestroy() === client);
  });
})();

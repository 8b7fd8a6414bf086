// A peer that resets, in several states.
const net = require('node:net');

async function run(name, onServer, onClient, onBoth) {
  await new Promise((resolve) => {
    const logs = { server: [], client: [] };
    let open = 2;
    // Both sides know of the connection.
    let known = 0;
    const meet = () => { if (++known === 2) onBoth?.(pair); };
    const pair = {};
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
      pair.server = socket;
      meet();
    });
    server.listen(0, '127.0.0.1', () => {
      const client = net.connect(server.address().port, '127.0.0.1');
      watch(client, logs.client);
      onClient(client, logs.client);
      pair.client = client;
      client.on('connect', meet);
    });
  });
}

(async () => {
  await run('while reading', (socket) => socket.resume(), () => {}, ({ client }) => client.resetAndDestroy());
  let answer;
  await run('with bytes that came', (socket, log) => socket.on('data', (chunk) => {
    log.push(`data ${chunk}`);
    answer();
  }), (client) => { answer = () => client.resetAndDestroy(); }, ({ client }) => client.write('x'));
  await run('by the server', () => {}, (client) => client.resume(), ({ server }) => server.resetAndDestroy());
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

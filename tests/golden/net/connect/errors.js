// Connections that fail, and their errors.
const net = require('node:net');

const server = net.createServer().listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  const show = (error) => {
    const keys = Object.keys(error).filter((key) => key !== 'errors');
    console.log(' ', error.name, JSON.stringify(error.message.replaceAll(`${port}`, 'PORT')), keys.join());
    for (const inner of error.errors ?? []) console.log('   ', inner.message.replaceAll(`${port}`, 'PORT'));
  };
  const lookup = (...addresses) => (host, options, callback) => {
    console.log('  lookup', host, options);
    if (options.all) callback(null, addresses.map(([address, family]) => ({ address, family })));
    else callback(null, addresses[0][0], addresses[0][1]);
  };
  const attempts = {
    'refused': { port: 1, host: '127.0.0.1' },
    'no path': { path: '/nonexistent.sock' },
    'local address of another machine': { port, host: '127.0.0.1', localAddress: '8.8.8.8' },
    'local port in use': { port, host: '127.0.0.1', localAddress: '127.0.0.1', localPort: port },
    'lookup gives no address': { port, host: 'foo', lookup: lookup(['bad', 4]) },
    'lookup of one gives no address': { port, host: 'foo', family: 4, lookup: lookup(['bad', 4]) },
    'lookup gives another family': { port, host: 'foo', family: 4, lookup: lookup(['127.0.0.1', 5]) },
    'lookup fails': { port, host: 'foo', lookup: (host, options, callback) => callback(new Error('no such luck')) },
    'all refused': { port: 1, host: 'foo', lookup: lookup(['127.0.0.1', 4], ['127.0.0.2', 4]) },
  };
  for (const [name, options] of Object.entries(attempts)) {
    console.log(name);
    await new Promise((resolve) => {
      const socket = net.connect(options, () => console.log('  connected'));
      socket.on('error', show);
      socket.on('lookup', (error, ...rest) => console.log('  looked up', error && error.message, ...rest));
      socket.on('close', (hadError) => {
        console.log('  close', hadError, socket.connecting, socket.destroyed, socket.autoSelectFamilyAttemptedAddresses);
        resolve();
      });
    });
  }
  server.close();
});

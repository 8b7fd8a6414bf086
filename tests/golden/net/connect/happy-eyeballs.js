// A name with several addresses: the families by turns, until one answers.
const net = require('node:net');

const server = net.createServer((socket) => socket.end()).listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  const hide = (value) => (value instanceof Error ? value.message : `${value}`).replaceAll(`${port}`, 'PORT');
  const attempt = (name, addresses, more) => new Promise((resolve) => {
    console.log(name);
    const socket = net.connect({
      port, host: 'somewhere', ...more, lookup(host, options, callback) {
        const list = addresses.map((address) => ({ address, family: net.isIP(address) }));
        if (options.all) callback(null, list);
        else callback(null, list[0].address, list[0].family);
      },
    });
    // The first of 'connectionAttempt' is emitted before connect() returns: it has no listener yet.
    for (const kind of ['connectionAttempt', 'connectionAttemptFailed', 'connectionAttemptTimeout', 'connect']) {
      socket.on(kind, (...args) => console.log(' ', kind, ...args.map(hide)));
    }
    socket.on('error', (error) => {
      console.log(' ', error.name, error.code, hide(error), error.errors?.map(hide));
    });
    socket.resume();
    socket.on('close', () => {
      console.log(' ', socket.autoSelectFamilyAttemptedAddresses?.map(hide));
      resolve();
    });
  });
  await attempt('the first', ['127.0.0.1', '::1']);
  await attempt('the second', ['::1', '127.0.0.1']);
  await attempt('by turns', ['127.0.0.2', '127.0.0.3', '::1', '127.0.0.1']);
  await attempt('one only', ['127.0.0.1']);
  await attempt('none', ['::1', '127.0.0.2']);
  await attempt('not asked for', ['::1', '127.0.0.1'], { autoSelectFamily: false });
  await attempt('one family', ['127.0.0.1'], { family: 4 });
  net.setDefaultAutoSelectFamily(false);
  await attempt('not by default', ['::1', '127.0.0.1']);
  server.close();
});

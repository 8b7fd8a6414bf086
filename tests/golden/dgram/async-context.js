// AsyncLocalStorage and async_hooks: messages belong to the socket, callbacks of sends to their caller.
const dgram = require('node:dgram');
const { AsyncLocalStorage, createHook, executionAsyncId } = require('node:async_hooks');
const storage = new AsyncLocalStorage();
const types = new Map();
createHook({
  init(id, type) {
    if (/UDP/.test(type)) types.set(id, type);
  },
  destroy(id) {
    if (types.has(id)) console.log('destroy', types.get(id));
  },
}).enable();

const server = storage.run('server', () => dgram.createSocket('udp4'));
server.on('message', (message, { port, address }) => {
  console.log('message', storage.getStore(), types.get(executionAsyncId()));
  storage.run('answer', () => server.send('pong', port, address, () => {
    console.log('sent', storage.getStore(), types.get(executionAsyncId()));
  }));
});
storage.run('bind', () => server.bind(0, '127.0.0.1', () => {
  console.log('bound', storage.getStore());
  const client = storage.run('client', () => dgram.createSocket('udp4'));
  client.on('message', () => {
    console.log('answer', storage.getStore(), types.get(executionAsyncId()));
    client.close(() => console.log('closed', storage.getStore()));
    server.close();
  });
  storage.run('question', () => client.send('ping', server.address().port, '127.0.0.1', () => {
    console.log('asked', storage.getStore());
  }));
}));

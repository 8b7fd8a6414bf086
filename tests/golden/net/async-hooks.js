// The resources of a connection, as reported by async_hooks.
const net = require('node:net');
const { createHook, executionAsyncId } = require('node:async_hooks');

const types = new Map();
const counts = {};
createHook({
  init(id, type) {
    types.set(id, type);
    if (/TCP/.test(type)) counts[type] = (counts[type] ?? 0) + 1;
  },
}).enable();
const where = {};
const server = net.createServer((socket) => {
  where.connection = types.get(executionAsyncId());
  socket.on('data', () => { where.data = types.get(executionAsyncId()); });
  socket.on('close', () => { where.close = types.get(executionAsyncId()); });
});
server.listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1', () => {
    where.connect = types.get(executionAsyncId());
    client.end('x');
  });
  client.on('close', () => setTimeout(() => server.close(() => console.log(counts, where)), 20));
});

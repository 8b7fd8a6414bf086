'use strict';
// AsyncLocalStorage in servers, clients and agents, and the resources that async_hooks report.
const http = require('http');
const { AsyncLocalStorage, createHook, executionAsyncResource } = require('async_hooks');

const log = console.log;
const storage = new AsyncLocalStorage();
const types = new Map();
const hook = createHook({
  init(id, type) {
    if (type.startsWith('HTTP') || type === 'QueuedRequest') types.set(type, (types.get(type) ?? 0) + 1);
  },
});
hook.enable();

const server = http.createServer((request, response) => {
  log('server', storage.getStore(), executionAsyncResource().constructor.name);
  storage.run(`request ${request.url}`, () => {
    request.on('end', () => log('end', storage.getStore()));
    request.resume();
    response.on('finish', () => log('finish', storage.getStore()));
    response.on('close', () => log('close', storage.getStore()));
    setImmediate(() => {
      log('immediate', storage.getStore());
      response.end(storage.getStore());
    });
  });
});

function ask(agent, path) {
  return storage.run(`client ${path}`, () => new Promise((resolve) => {
    const request = http.request({ agent, path, port: server.address().port, host: '127.0.0.1', method: 'POST' });
    for (const event of ['socket', 'finish', 'close']) request.on(event, () => log(path, event, storage.getStore()));
    request.on('response', (response) => {
      log(path, 'response', storage.getStore());
      response.on('data', (data) => log(path, `data ${data}`, storage.getStore()));
      response.on('end', () => {
        log(path, 'end', storage.getStore());
        process.nextTick(() => log(path, 'tick', storage.getStore()));
        resolve();
      });
    });
    request.end('body');
  }));
}

server.listen(0, '127.0.0.1', async () => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  await ask(agent, '/1');
  await new Promise(setImmediate);
  await ask(agent, '/2');
  await Promise.all([ask(agent, '/3'), ask(agent, '/4')]);
  await ask(false, '/5');
  agent.destroy();
  server.close(() => {
    hook.disable();
    log([...types].sort());
  });
});

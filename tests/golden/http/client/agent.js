'use strict';
// An agent creates, keeps, shares and drops connections; the order of its events.
const http = require('http');
const net = require('net');

const log = console.log;
let connections = 0;
const server = http.createServer((request, response) => {
  if (request.url === '/close') response.setHeader('Connection', 'close');
  response.end(request.url);
});
server.keepAliveTimeout = 0;
server.on('connection', () => connections++);

function get(agent, path, options) {
  return new Promise((resolve) => {
    const request = http.get({ agent, path, port: server.address().port, host: '127.0.0.1', ...options }, (response) => {
      response.resume();
      response.on('end', () => {
        process.nextTick(log, path, 'tick after end');
        Promise.resolve().then(() => log(path, 'promise after end'));
      });
    });
    for (const event of ['socket', 'response', 'close']) {
      request.on(event, () => {
        log(path, event, request.reusedSocket, request.destroyed);
        if (event === 'close') resolve();
      });
    }
  });
}

function state(agent) {
  const count = (lists) => Object.values(lists).map((list) => list.length).join() || 0;
  return `sockets ${count(agent.sockets)}, free ${count(agent.freeSockets)}, requests ${count(agent.requests)}, ` +
    `all ${agent.totalSocketCount}`;
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  for (const options of [{ keepAlive: true }, { keepAlive: false }, { keepAlive: true, maxSockets: 1 },
    { keepAlive: true, maxTotalSockets: 1, scheduling: 'fifo' }, { keepAlive: true, maxFreeSockets: 1 },
    { keepAlive: false, maxSockets: 1 }]) {
    log(options);
    connections = 0;
    const agent = new http.Agent(options);
    agent.on('free', (socket, { host }) => {
      log('free', host, socket._httpMessage === null, state(agent));
      process.nextTick(() => log('tick after free', state(agent)));
    });
    await get(agent, '/1');
    log(state(agent));
    await get(agent, '/2');
    const both = [get(agent, '/3'), get(agent, '/close')];
    log(state(agent));
    await Promise.all(both);
    await settled();
    log(state(agent), connections);
    agent.destroy();
    await settled();
    log(state(agent));
  }

  log('order of free connections');
  for (const scheduling of ['lifo', 'fifo']) {
    const agent = new http.Agent({ keepAlive: true, scheduling });
    const ask = () => new Promise((resolve) => {
      const request = http.get({ agent, port, host: '127.0.0.1' }, (response) => {
        response.resume();
        request.on('close', () => resolve(request.socket.localPort));
      });
    });
    const ports = await Promise.all([ask(), ask(), ask()]);
    await settled();
    log(scheduling, agent.freeSockets[`127.0.0.1:${port}:`].length, [...new Set(ports)].length);
    const free = agent.freeSockets[`127.0.0.1:${port}:`].map((socket) => socket.localPort);
    log(free.indexOf(await ask()));
    agent.destroy();
  }

  log('own connections');
  const made = [];
  class OwnAgent extends http.Agent {
    createConnection(options, callback) {
      made.push([options.host, options.keepAlive, typeof options._agentKey, typeof callback]);
      if (options.path === undefined) log('no path');
      if (made.length === 2) {
        setImmediate(() => callback(null, net.createConnection({ port, host: '127.0.0.1' })));
        return undefined;
      }
      if (made.length === 3) throw new Error('no connection');
      if (made.length === 4) {
        setImmediate(callback, new Error('late failure'));
        return undefined;
      }
      return net.createConnection({ port, host: '127.0.0.1' });
    }
    getName(options) {
      return `own ${super.getName(options)}`;
    }
    keepSocketAlive(socket) {
      log('keepSocketAlive');
      return super.keepSocketAlive(socket);
    }
    reuseSocket(socket, request) {
      log('reuseSocket', request.path);
      super.reuseSocket(socket, request);
    }
  }
  const own = new OwnAgent({ keepAlive: true });
  await get(own, '/a');
  await settled();
  await get(own, '/b');
  await get(own, '/c', { family: 4, host: 'localhost' });
  for (const path of ['/d', '/e']) {
    await new Promise((resolve) => {
      try {
        http.get({ agent: own, path, port, host: 'other' }).on('error', (error) => {
          log(path, error.message);
          resolve();
        });
      } catch (error) {
        log(path, 'thrown', error.message);
        resolve();
      }
    });
  }
  log(made, Object.keys(own.freeSockets).map((name) => name.replace(port, 'PORT')));
  own.destroy();
  log(new http.Agent().getName(), new http.Agent().getName({ host: 'a', port: 1, localAddress: 'b', family: 6, socketPath: 'c' }));

  log('data while free');
  const raw = net.createServer((socket) => socket.once('data', () => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: keep-alive\r\n\r\n');
    setTimeout(() => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil'), 20);
    socket.on('error', () => {});
  }));
  await new Promise((resolve) => raw.listen(0, '127.0.0.1', resolve));
  const victim = new http.Agent({ keepAlive: true });
  await new Promise((resolve) => http.get({ agent: victim, port: raw.address().port, host: '127.0.0.1' }, (response) => {
    response.resume();
    response.socket.on('close', resolve);
  }));
  log(state(victim));
  raw.close();
  server.close();
  server.closeAllConnections();
});

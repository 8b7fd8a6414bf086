'use strict';
// Sockets, servers and bound sockets of TCP that move to another thread.
const net = require('node:net');
const { once } = require('node:events');
const { MessageChannel, Worker, isMainThread, parentPort } = require('node:worker_threads');

function attempt(name, fn) {
  try {
    console.log(name, fn());
  } catch (error) {
    console.log(name, '|', error.name, error.code, error.message);
  }
}

if (!isMainThread) {
  parentPort.on('message', ({ socket, server, bound, end }) => {
    if (socket) {
      const text = `${socket instanceof net.Socket} ${socket.allowHalfOpen} ${socket.readable} ${socket.writable} ${socket.pending}`;
      socket.setEncoding('utf8');
      socket.on('data', (data) => socket.end(`${data} ${text}`));
      parentPort.postMessage({ remotePort: socket.remotePort });
    } else if (server) {
      const { noDelay, keepAlive, keepAliveInitialDelay, pauseOnConnect, allowHalfOpen, highWaterMark } = server;
      server.on('connection', (one) => one.end('from the worker'));
      server.once('listening', () => parentPort.postMessage({ listening: [server instanceof net.Server, server.listening] }));
      parentPort.postMessage({ options: [noDelay, keepAlive, keepAliveInitialDelay, pauseOnConnect, allowHalfOpen, highWaterMark] });
    } else if (bound) {
      const { address, family, port } = bound.address();
      const own = net.createServer((one) => one.end('bound, and then listening')).listen(bound, () => {
        parentPort.postMessage({ bound: [bound instanceof net.BoundSocket, address, family, bound.isPipe], port });
      });
      own.once('connection', () => own.close());
    } else if (end) {
      process.exit();
    }
  });
  return;
}

const worker = new Worker(__filename);

async function read(port, text) {
  const client = net.connect(port, '127.0.0.1');
  if (text) client.write(text);
  let all = '';
  for await (const chunk of client) all += chunk;
  return all;
}

async function sockets() {
  const server = net.createServer({ allowHalfOpen: true }, (socket) => {
    const connections = server._connections;
    worker.postMessage({ socket }, [socket]);
    console.log('moved', socket._handle, socket.destroyed, socket.writable, connections, server._connections);
    socket.on('close', () => console.log('close of the socket that was moved'));
    socket.write('lost', (error) => console.log('write', error.code));
    server.close(() => console.log('server closed'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const answer = read(server.address().port, 'hello');
  const [{ remotePort }] = await once(worker, 'message');
  console.log('remotePort', remotePort > 0);
  console.log('answer', await answer);
}

async function servers() {
  const server = net.createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: 3000, highWaterMark: 1234 });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  worker.postMessage({ server }, [server]);
  console.log('moved', server._handle, server.listening, server.address());
  console.log(...(await once(worker, 'message')));
  console.log(...(await once(worker, 'message')));
  console.log(await read(port), '|', await read(port));
}

async function boundSockets() {
  const bound = new net.BoundSocket({ host: '127.0.0.1' });
  const { port } = bound.address();
  worker.postMessage({ bound }, [bound]);
  attempt('moved', () => bound.address());
  const [message] = await once(worker, 'message');
  console.log(message.bound, message.port === port);
  console.log(await read(port));
  const source = new net.BoundSocket({ host: '127.0.0.1' });
  const before = source.address();
  const clone = structuredClone({ source }, { transfer: [source] }).source;
  console.log(clone !== source, clone instanceof net.BoundSocket, clone.address().port === before.port);
  clone.close();
}

async function misuse() {
  const { port1, port2 } = new MessageChannel();
  attempt('server', () => port1.postMessage(1, [net.createServer()]));
  attempt('socket', () => port1.postMessage(1, [new net.Socket()]));
  const pipe = new net.BoundSocket({ path: '\0net-transfer-golden' });
  attempt('bound to a path', () => port1.postMessage(1, [pipe]));
  pipe.close();
  attempt('closed', () => port1.postMessage(1, [pipe]));
  const bound = new net.BoundSocket();
  attempt('not in the list', () => port1.postMessage(bound));
  attempt('not in the list', () => port1.postMessage([new net.Socket()]));
  attempt('not in the list', () => structuredClone({ a: net.createServer() }));
  attempt('twice', () => port1.postMessage(1, [bound, bound]));
  attempt('still there', () => bound.address().address);
  // Not received: it is closed with the ports.
  attempt('nowhere', () => port1.postMessage(bound, [bound]));
  port1.close();
  port2.close();
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      attempt('has read', () => worker.postMessage(1, [socket]));
      console.log(socket.destroyed, socket._handle !== null);
      socket.destroy();
      server.close();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = net.connect(server.address().port, '127.0.0.1');
  attempt('connecting', () => worker.postMessage(1, [client]));
  client.on('error', () => {});
  client.end('x');
  await once(server, 'close');
}

(async () => {
  await sockets();
  await servers();
  await boundSockets();
  await misuse();
  worker.postMessage({ end: true });
  console.log('exit', ...(await once(worker, 'exit')));
})();

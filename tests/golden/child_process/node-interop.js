'use strict';
// Messages and handles between this program and a child that is Node's own, and the other way round, where there is a
// node on PATH; else all of it is this program.
const { fork, spawn, spawnSync } = require('child_process');
const net = require('net');

const node = spawnSync('node', ['--version']).status === 0 ? 'node' : process.execPath;
const [, , role, serialization, other] = process.argv;

function answer() {
  process.on('message', (message, handle) => {
    if (handle instanceof net.Server) {
      handle.on('connection', (socket) => socket.end('served'));
      handle.on('connection', () => handle.close());
      process.send('listening');
    } else if (handle instanceof net.Socket) {
      handle.end(`socket with ${message}`);
      process.send('ended');
    } else if (message === 'end') {
      process.disconnect();
    } else {
      process.send(message);
    }
  });
}

async function talk(execPath) {
  const child = fork(__filename, ['child', serialization], { execPath, serialization, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const next = () => new Promise((resolve) => child.once('message', resolve));
  const messages = ['é€😀', 1.5, null, { a: [true, { b: 'c' }] }, 'x'.repeat(200000)];
  if (serialization === 'advanced') messages.push(new Map([['k', 12n]]), Buffer.from('bytes'), new Float32Array([1.5]), /x/g);
  for (const message of messages) {
    child.send(message);
    const back = await next();
    console.log(typeof back === 'string' ? back.length : back);
  }
  const read = (port) => new Promise((resolve) => {
    let text = '';
    net.connect(port, '127.0.0.1').on('data', (chunk) => { text += chunk; }).on('close', () => resolve(text));
  });
  const server = net.createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  child.send('server', server);
  console.log(await next());
  await new Promise((resolve) => server.close(resolve));
  await new Promise((resolve) => setTimeout(resolve, 50));
  console.log(await read(port));
  const giver = net.createServer({ pauseOnConnect: true }, (socket) => {
    child.send('a message', socket);
    giver.close();
  });
  await new Promise((resolve) => giver.listen(0, '127.0.0.1', resolve));
  const [ended, text] = await Promise.all([next(), read(giver.address().port)]);
  console.log(ended, text);
  child.send('end');
  console.log(await new Promise((resolve) => child.on('exit', (...args) => resolve(args))));
}

if (role === 'child') {
  answer();
} else if (role === 'parent') {
  talk(other);
} else {
  (async () => {
    for (const mode of ['json', 'advanced']) {
      for (const [parent, child] of [[process.execPath, node], [node, process.execPath], [process.execPath, process.execPath]]) {
        await new Promise((resolve) => {
          spawn(parent, [__filename, 'parent', mode, child], { stdio: 'inherit' }).on('exit', (code) => resolve(console.log(mode, code)));
        });
      }
    }
  })();
}

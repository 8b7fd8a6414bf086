// The channels that net, child_process and worker_threads publish to.
'use strict';
const dc = require('diagnostics_channel');
const net = require('net');
const { ChildProcess, spawn } = require('child_process');
const { Worker } = require('worker_threads');

function log(name) {
  const handlers = {};
  for (const kind of ['start', 'end', 'asyncStart', 'asyncEnd', 'error']) {
    handlers[kind] = (message) => console.log(name, kind, Object.keys(message), message.error?.code, message.error?.syscall);
  }
  dc.tracingChannel(name).subscribe(handlers);
}

console.log(Object.keys(dc.channel('x')), dc.channel('x') instanceof dc.Channel, {} instanceof dc.Channel);
for (const value of [undefined, null]) {
  try {
    console.log(value instanceof dc.Channel);
  } catch (error) {
    console.log(error.name, error.message);
  }
}
for (const channels of [{}, { start: '' }, { start: 1 }]) {
  try {
    dc.tracingChannel(channels);
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}

log('net.server.listen');
log('child_process.spawn');
dc.subscribe('net.client.socket', ({ socket }) => console.log('client', socket instanceof net.Socket, socket.connecting));
dc.subscribe('net.server.socket', ({ socket }) => console.log('server', socket instanceof net.Socket));
dc.subscribe('child_process', ({ process }) => console.log('child', process instanceof ChildProcess, process.pid));
dc.subscribe('worker_threads', ({ worker }) => console.log('worker', worker instanceof Worker));

const server = net.createServer((socket) => socket.end()).listen({ port: 0, host: '127.0.0.1', mine: true }, () => {
  const { port } = server.address();
  net.connect(port, '127.0.0.1').resume().on('close', () => {
    const socket = new net.Socket();
    try {
      socket.connect({ port: -1 });
    } catch (error) {
      console.log(error.code);
    }
    socket.connect(port, '127.0.0.1').resume().on('close', () => {
      const second = net.createServer().on('error', () => {
        console.log('error event');
        server.close(children);
      });
      second.listen(port, '127.0.0.1');
    });
  });
});

function children() {
  spawn('/nonexistent/file').on('error', (error) => {
    console.log(error.code);
    spawn('true').on('close', () => {
      new Worker('', { eval: true }).on('exit', (code) => console.log('exit', code));
    });
  });
}

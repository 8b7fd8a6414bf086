'use strict';
// The life of a child: its properties, and the order of its events.
const { spawn, ChildProcess } = require('child_process');
const EventEmitter = require('events');
const net = require('net');

const child = spawn('sh', ['-c', 'cat; echo err >&2; exit 3']);
console.log(child instanceof ChildProcess, child instanceof EventEmitter);
console.log(typeof child.pid, child.connected, child.exitCode, child.signalCode, child.killed);
console.log(child.spawnfile, child.spawnargs, child.channel, child.send);
console.log(child.stdio.length, child.stdio[0] === child.stdin, child.stdio[1] === child.stdout, child.stdio[2] === child.stderr);
for (const name of ['stdin', 'stdout', 'stderr']) {
  const stream = child[name];
  console.log(name, stream instanceof net.Socket, stream.readable, stream.writable, stream.readyState, stream.destroyed);
}

const log = [];
for (const event of ['spawn', 'exit', 'close', 'error', 'disconnect']) {
  child.on(event, (...args) => {
    log.push(event);
    console.log(event, ...args, child.exitCode, child.signalCode);
  });
}
let text = '';
child.stdout.setEncoding('utf8').on('data', (chunk) => { text += chunk; });
let complaint = '';
child.stderr.on('data', (chunk) => { complaint += chunk; });
child.on('exit', () => console.log('at exit:', text, complaint));
child.stdin.on('finish', () => log.push('finish'));
child.stdin.write('hello ');
child.stdin.end('world');
child.on('close', () => {
  console.log(log.join(' '));
  console.log(child.stdin.destroyed, child.stdout.destroyed, child.stderr.destroyed, child._handle);
  console.log(child.stdin.readyState, child.stdout.readyState);
  console.log(child.kill(), child.killed, child.ref(), child.unref());
});

'use strict';
// send() and disconnect() with what they do not take, and on channels that are gone.
const { fork, spawn } = require('child_process');
const { inspect } = require('util');

if (process.argv[2] === 'child') {
  process.on('message', () => {});
} else {
  const child = fork(__filename, ['child']);
  const attempt = (label, run) => {
    try {
      console.log(label, run());
    } catch (error) {
      console.log(label, error.name, error.code, error.message);
    }
  };
  const circular = {};
  circular.self = circular;
  for (const args of [
    [], [undefined], [() => {}], [Symbol('s')], [1n], [circular], [{ get x() { throw new Error('a getter'); } }],
    ['x', 1], ['x', {}], ['x', undefined, 1], ['x', undefined, null], ['x', undefined, 'y'],
    ['x', undefined, {}, 1], ['x', null, { keepOpen: true }], ['x', undefined, {}], ['x', undefined, undefined, undefined],
  ]) {
    attempt(inspect(args, { depth: 0 }).replace(/\s+/g, ' ').slice(0, 60), () => child.send(...args));
  }
  child.disconnect();
  console.log(child.connected, child.channel);
  attempt('closed', () => child.send('x', (error) => console.log('callback', error.code, error.message)));
  child.on('error', (error) => console.log('error', error.code, error.message));
  attempt('closed', () => child.send('x'));
  child.on('disconnect', () => {
    console.log('disconnect');
    attempt('again', () => child.disconnect());
    child.kill('SIGKILL');
  });
  child.on('exit', () => {
    // A program that was not forked.
    console.log(process.send, process.connected, process.channel, process.disconnect);
    const plain = spawn('true');
    console.log(plain.send, plain.disconnect, plain.connected, plain.channel);
  });
}

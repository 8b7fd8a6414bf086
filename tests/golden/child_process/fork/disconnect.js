'use strict';
// The end of a channel from either side, messages that came early, and what keeps a child alive.
const { fork } = require('child_process');

const children = {
  // Its parent disconnects: nothing keeps it alive any more.
  listens() {
    process.on('message', () => {});
    process.on('disconnect', () => console.log('listens: disconnect', process.connected));
  },
  // Without a listener the channel keeps no process alive.
  ends() {
    process.send('hello');
  },
  // A listener that comes late gets what was sent before.
  late() {
    setTimeout(() => {
      process.on('message', (message) => {
        console.log('late: got', message);
        if (message === 3) process.exit();
      });
    }, 100);
  },
  removes() {
    const listener = (message) => {
      console.log('removes: got', message);
      process.removeListener('message', listener);
    };
    process.on('message', listener);
  },
  refs() {
    process.channel.ref();
    setTimeout(() => {
      process.channel.unref();
      console.log('refs: let go');
    }, 50);
  },
  unrefs() {
    process.on('message', () => {});
    process.channel.unref();
  },
  once() {
    process.once('message', (message) => console.log('once: got', message));
  },
  exits() {
    process.on('disconnect', () => console.log('exits: never'));
    process.send('bye', () => process.exit(6));
  },
  twice() {
    process.on('error', (error) => console.log('twice:', error.code, error.message));
    process.disconnect();
    process.disconnect();
    process.send('x', (error) => console.log('twice: send', error.code, error.message));
  },
};

if (process.argv[2] !== undefined) {
  children[process.argv[2]]();
} else {
  (async () => {
    for (const name of Object.keys(children)) {
      await new Promise((resolve) => {
        const child = fork(__filename, [name]);
        const log = [];
        child.on('message', (message) => log.push(['message', message]));
        child.on('disconnect', () => log.push('disconnect'));
        child.on('exit', (...args) => log.push(['exit', ...args]));
        child.on('exit', () => setTimeout(() => {
          console.log(name, log, child.connected);
          resolve();
        }, 50));
        if (name === 'listens') setTimeout(() => child.disconnect(), 200);
        else if (name === 'late') [1, 2, 3].forEach((number) => child.send(number));
        else if (name === 'removes' || name === 'once') child.send('first');
      });
    }
  })();
}

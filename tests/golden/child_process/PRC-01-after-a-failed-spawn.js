'use strict';
// A program that cannot be started raises SIGCHLD, too. Each signal reports the children that have ended by then: the end
// of the second child is not reported together with that of the first.
const { spawn } = require('child_process');
const { waitUntilIdle } = require('../fixtures/idle');

spawn('/missing').on('error', ({ code }) => {
  console.log(code);
  waitUntilIdle();
  setImmediate(setImmediate, again); // Behind a poll, which handles the signal.
});

function again() {
  spawn('true')
    .on('exit', () => {
      console.log('first exit');
      setImmediate(() => console.log('immediate'));
      spawn('true').on('exit', () => console.log('second exit'));
      waitUntilIdle();
    });
  waitUntilIdle();
}

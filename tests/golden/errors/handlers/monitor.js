'use strict';
process.on('uncaughtExceptionMonitor', (error, origin) => console.log('monitor', error.message, origin));
process.on('uncaughtException', (error, origin) => {
  console.log('caught', error.message, origin);
  if (error.message === 'main') process.removeAllListeners('uncaughtException');
});
process.on('exit', (code) => console.log('exit', code));
process.nextTick(() => { throw new Error('in a tick, after the listener went'); });
throw new Error('main');

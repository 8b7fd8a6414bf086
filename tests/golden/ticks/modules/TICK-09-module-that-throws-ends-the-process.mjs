// The exception of an entry point is uncaught: no tick runs before 'exit', and 'unhandledRejection' is not emitted.
process.on('unhandledRejection', () => console.log('unhandledRejection'));
process.on('exit', (code) => console.log('exit', code, process.exitCode));
process.nextTick(() => console.log('tick'));
setImmediate(() => console.log('immediate'));
Promise.reject(new Error('an ordinary rejection, judged later'));
Promise.resolve().then(() => console.log('microtask'));
throw new Error('thrown by the entry point');

process.on('uncaughtException', (error, origin) => console.log('uncaughtException', error.message, origin));
process.on('unhandledRejection', (reason) => console.log('unhandledRejection', reason.message));
process.on('exit', (code) => console.log('exit', code, process.exitCode));
process.nextTick(() => console.log('tick'));
setImmediate(() => console.log('immediate'));
Promise.reject(new Error('an ordinary rejection'));
await null;
process.nextTick(() => console.log('second tick'));
await Promise.reject(new Error('rejected at the top level'));

process.on('exit', (code) => console.log('exit', code));
setImmediate(() => console.log('never'));
throw new Error('in a module');

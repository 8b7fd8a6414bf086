// process.exit() is no such end.
process.on('exit', (code) => console.log('exit', code));
setTimeout(() => process.exit(), 1);
await new Promise(() => {});
export {};

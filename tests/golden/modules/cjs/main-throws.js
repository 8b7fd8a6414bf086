// An error in the body of the entry point is the program's.
process.on('exit', (code) => console.log('exit', code));
console.log('body');
await null;
throw new Error('from the entry point');
export {};

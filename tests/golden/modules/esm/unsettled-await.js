// A program that ends while it waits at its top level ends with 13.
process.on('exit', (code) => console.log('exit', code));
console.log('before');
await new Promise(() => {});
console.log('never');
export {};

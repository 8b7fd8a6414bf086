// An exception in a tick between two immediates does not lose the second.
process.on('uncaughtException', (error) => console.log('caught', error.message));
for (let i = 0; i < 4; i++) {
  setImmediate(() => {
    console.log('immediate', i);
    process.nextTick(() => { throw new Error(`tick ${i}`); });
    Promise.resolve().then(() => console.log('microtask', i));
  });
}
const cleared = setImmediate(() => console.log('never'));
setImmediate(() => {
  console.log('last');
  setImmediate(() => console.log('next turn'));
});
clearImmediate(cleared);

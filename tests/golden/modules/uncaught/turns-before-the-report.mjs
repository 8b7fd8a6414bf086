// The number of microtasks between the exception of an entry point and its report.
let turns = 0;
const turn = () => { if (++turns < 40) queueMicrotask(turn); };
queueMicrotask(turn);
process.on('uncaughtException', (error) => console.log('uncaught', error.message, turns));
process.nextTick(() => console.log('tick', turns));
throw new Error('thrown');

'use strict';
process.on('uncaughtException', (error) => console.log(error.name, error.message));
function deeper() { deeper(); }
process.nextTick(deeper);
queueMicrotask(deeper);
setTimeout(deeper, 50);
setImmediate(deeper);
// Last, however long the others take.
setImmediate(() => setTimeout(() => console.log('still here'), 50));

'use strict';
process.on('uncaughtException', (error) => console.log(error.name, error.message));
function deeper() { deeper(); }
process.nextTick(deeper);
queueMicrotask(deeper);
setTimeout(deeper, 50);
setImmediate(deeper);
setTimeout(() => console.log('still here'), 100);

'use strict';
process.on('uncaughtException', (error) => console.log(error.name, error.message));
setImmediate(() => console.log('immediate'));
process.nextTick(() => console.log('tick'));
(function deeper() { deeper(); })();

'use strict';
// An error without a listener is thrown in the parent.
const { Worker } = require('worker_threads');
process.on('uncaughtException', (e, origin) => console.log(e.name, e.message, e.code, e.extra, origin));
new Worker('throw Object.assign(new SyntaxError("x"), { code: "E_MINE", extra: { deep: [1] } })', { eval: true }).on('exit', (c) => console.log('exit', c));

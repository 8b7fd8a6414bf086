'use strict';
const EventEmitter = require('events');
process.on('exit', (code) => console.log('exit', code));
setImmediate(() => new EventEmitter().emit('error', new Error('nobody listens')));

'use strict';
// Emitting in a constructor reaches no listener; emitting through nextTick reaches listeners added right after construction.
const EventEmitter = require('events');

class Early extends EventEmitter {
  constructor() {
    super();
    console.log('in the constructor:', this.emit('ready', 'now'));
    process.nextTick(() => console.log('in a tick:', this.emit('ready', 'in a tick')));
  }
}

new Early().on('ready', (when) => console.log('ready', when));
console.log('constructed');

'use strict';
const EventEmitter = require('events');
class AtOnce extends EventEmitter {
  constructor() {
    super();
    this.emit('ready', 'at once');
  }
}
class Later extends EventEmitter {
  constructor() {
    super();
    process.nextTick(() => this.emit('ready', 'through nextTick'));
  }
}
for (const Kind of [AtOnce, Later]) new Kind().on('ready', (how) => console.log(Kind.name, 'heard:', how));
console.log('main');

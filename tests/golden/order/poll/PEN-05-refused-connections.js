'use strict';
// Connections that are refused at once report it before the immediates of the same turn, in order.
const fs = require('fs');
const net = require('net');
fs.stat('.', () => {
  for (const name of ['a', 'b']) {
    net.connect(`/nonexistent/${name}.sock`).on('error', (error) => console.log(name, error.code));
  }
  setImmediate(() => console.log('immediate'));
});

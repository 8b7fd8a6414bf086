'use strict';
// Several file operations at once: their callbacks may come in any order.
const fs = require('fs');
const order = [];
for (const name of ['a', 'b', 'c', 'd']) fs.stat(__filename, () => order.push(`stat ${name}`));
for (const name of ['a', 'b', 'c']) fs.readFile(__filename, () => order.push(`read ${name}`));
fs.promises.readdir(__dirname).then(() => order.push('readdir'));
setImmediate(() => order.push('immediate'));
setTimeout(() => order.push('timer'), 1);
process.on('exit', () => console.log(order.join(', ')));

'use strict';
let count = 0;
const timer = setInterval(() => {
  console.log('interval', ++count);
  if (count === 3) clearInterval(timer);
}, 1);
const other = setInterval(function() {
  console.log('by this', this === other);
  clearTimeout(this);
}, 1);
process.on('exit', () => console.log('exit after', count));

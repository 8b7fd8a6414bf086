'use strict';
// After a stall all three are due. Node runs both timers of 40 ms first, as they share a list.
const came = [];
const burn = (ms) => { for (const end = Date.now() + ms; Date.now() < end;); };
setTimeout(() => came.push('40 from 0'), 40);
setTimeout(() => came.push('60 from 0'), 60);
burn(30);
setTimeout(() => came.push('40 from 30'), 40);
burn(100);
process.on('exit', () => console.log(came.join(', ')));

'use strict';
// Delays of 10, 10.9 and 10.1 are one and the same: started together, they fire in the order of their start.
const out = [];
for (const delay of [10, 10.9, 10.1, 10.5]) setTimeout(() => out.push(delay), delay);
setTimeout(() => console.log(out.join(' ')), 30.7);

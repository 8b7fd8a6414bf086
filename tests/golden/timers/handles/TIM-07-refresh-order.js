'use strict';
// refresh() puts a timer behind those of the same delay; a timer that ran comes back.
const first = setTimeout(() => console.log('first'), 20);
setTimeout(() => console.log('second'), 20);
first.refresh();
const cleared = setTimeout(() => console.log('never'), 1);
clearTimeout(cleared);
console.log(cleared.refresh() === cleared);

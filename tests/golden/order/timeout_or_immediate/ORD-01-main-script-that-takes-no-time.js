'use strict';
// The clock stands still while there is something to do, so the timer is not due yet.
setTimeout(() => console.log('timeout'), 0);
setImmediate(() => console.log('immediate'));

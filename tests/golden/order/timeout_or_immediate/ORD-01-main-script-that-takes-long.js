'use strict';
// The timer is due by the time the loop starts.
setImmediate(() => console.log('immediate'));
setTimeout(() => console.log('timeout'), 0);
for (const end = Date.now() + 10; Date.now() < end;);

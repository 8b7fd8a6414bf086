'use strict';
setTimeout(() => console.log('1 ms, set first'), 1);
setTimeout(() => console.log('0 ms, set second'), 0);
setTimeout(() => console.log('no delay, set third'));
setTimeout(() => console.log('negative, set fourth'), -100);
setTimeout(() => console.log('not a number, set fifth'), NaN);
for (const end = Date.now() + 5; Date.now() < end;);

'use strict';
setTimeout(() => {
  console.log(1);
  process.nextTick(() => console.log(3));
  Promise.resolve().then(() => console.log(4));
}, 1);
setTimeout(() => console.log(2), 1);
for (const end = Date.now() + 5; Date.now() < end;);

'use strict';
// Code that looks at the clock until it has moved does not wait forever.
const until = Date.now() + 5;
while (Date.now() < until);
console.log(Date.now() - until < 2);
const end = performance.now() + 5;
(function poll() {
  if (performance.now() < end) setImmediate(poll);
  else console.log('polled');
})();

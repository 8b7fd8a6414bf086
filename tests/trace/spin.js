// A callback that blocks the loop.
'use strict';
setTimeout(function spin() {
  const until = Date.now() + 300;
  while (Date.now() < until);
}, 1);

'use strict';
// Each call is exactly one period after the one before, however much a callback does.
const start = Date.now();
const came = [];
const timer = setInterval(() => {
  came.push(Date.now() - start);
  for (let i = 0; i < 1e5; i++);
  if (came.length === 5) {
    clearInterval(timer);
    console.log(came.join(' '));
  }
}, 250);

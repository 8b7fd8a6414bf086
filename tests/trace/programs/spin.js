'use strict';

function spin(milliseconds) {
  const end = Date.now() + milliseconds;
  while (Date.now() < end);
}

setTimeout(function slow() {
  spin(200);
}, 50);

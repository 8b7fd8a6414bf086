'use strict';
// The Date header: made once per second.

const { Date, DateNow, DatePrototypeToUTCString, MathFloor } = primordials;

let second = -1;
let text = '';
let line = '';

function update() {
  const now = DateNow();
  const current = MathFloor(now / 1000);
  if (current === second) return;
  second = current;
  text = DatePrototypeToUTCString(new Date(now));
  line = `Date: ${text}\r\n`;
}

function httpDate() {
  update();
  return text;
}

// The whole line.
function dateLine() {
  update();
  return line;
}

module.exports = { dateLine, httpDate };

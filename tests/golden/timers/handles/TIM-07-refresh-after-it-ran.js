'use strict';
// A timer that ran comes back.
let count = 0;
const again = setTimeout((...args) => {
  console.log('again', ++count, args.join(' '), again.hasRef());
  if (count < 3) again.refresh();
  else setTimeout(() => other.refresh(), 50);
}, 1, 'with', 'arguments');
let late = 0;
const other = setTimeout(() => {
  if (++late === 2) console.log('again, long after');
}, 1);

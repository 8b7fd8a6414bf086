'use strict';
// With a clock that stands still while anything runs, a timer comes exactly when it is due.
const start = Date.now();
for (const delay of [1, 2, 10, 1000, 86400000, 2147483647]) {
  setTimeout(() => console.log(delay, Date.now() - start), delay);
}

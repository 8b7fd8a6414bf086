'use strict';
// What an immediate sets runs in the next turn, after all that this turn holds.
for (let i = 0; i < 3; i++) {
  setImmediate(() => {
    console.log('first', i);
    setImmediate(() => {
      console.log('second', i);
      setImmediate(() => console.log('third', i));
    });
  });
}

'use strict';
// An immediate that an immediate sets runs in the next turn, after everything in this turn.
for (let i = 0; i < 3; i++) {
  setImmediate(() => {
    console.log('first', i);
    setImmediate(() => {
      console.log('second', i);
      setImmediate(() => console.log('third', i));
    });
  });
}

'use strict';
// The state of an event's dispatch is the same for every listener.
const target = new EventTarget();
for (let i = 0; i < 3; i++) {
  target.addEventListener('x', (event) => {
    console.log(i, event.eventPhase, event.currentTarget === target, event.composedPath().length);
    if (i === 2) try { target.dispatchEvent(event); } catch (err) { console.log(err.code); }
  });
}
target.dispatchEvent(new Event('x'));

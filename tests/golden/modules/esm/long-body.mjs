// A body that takes its time is no starvation, though it runs as a microtask: nothing is said.
const end = Date.now() + 1300;
while (Date.now() < end);
console.log('done');

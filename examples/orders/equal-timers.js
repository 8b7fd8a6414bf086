// Timers of equal delay run in the order in which they were started (TIM-01). One outcome.
setTimeout(() => console.log('first'), 5);
setTimeout(() => console.log('second'), 5);

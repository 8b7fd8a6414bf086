'use strict';
const timeout = setTimeout(function() { console.log('timeout', this === timeout); }, 1);
const withArgs = setTimeout(function(a) { console.log('timeout with arguments', this === withArgs, a); }, 1, 'a');
const immediate = setImmediate(function() { console.log('immediate', this === immediate); });
const immediateArgs = setImmediate(function(a) { console.log('immediate with arguments', this === immediateArgs, a); }, 'a');
process.nextTick(function() { console.log('tick', this === undefined); });
process.nextTick(function(a) { console.log('tick with arguments', this === undefined, a); }, 'a');
// The timers are due when the loop starts, so they come before the immediates.
for (const end = Date.now() + 5; Date.now() < end;);
queueMicrotask(function() { console.log('microtask', this === undefined); });

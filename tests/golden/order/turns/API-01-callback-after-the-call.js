'use strict';
// A variable that is assigned after the call is seen by a callback that comes through nextTick.
let bar;
function someAsyncCall(callback) { callback(); }
someAsyncCall(() => console.log('called back at once:', bar));
function someLaterCall(callback) { process.nextTick(callback); }
someLaterCall(() => console.log('called back later:', bar));
bar = 1;

// Error.prepareStackTrace is there from the beginning, and can be called, replaced and put back.
'use strict';
const { value, ...descriptor } = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace');
console.log(typeof value, value.name, value.length, descriptor);
const before = Error.prepareStackTrace;
console.log(before(new TypeError('boom'), ['a', 'b']));
console.log(before(new TypeError('boom'), []));
Error.prepareStackTrace = (error, frames) => `${error.message}: ${frames.length > 0}`;
console.log(new Error('mine').stack);
// The default makes the same of the frames as the engine.
let same;
Error.prepareStackTrace = (error, frames) => {
  same = before(error, frames);
  return same;
};
const { stack } = new Error('lines');
console.log(stack === same, stack.split('\n')[0], /^ {4}at .*prepare-stack-trace\.js:\d+:\d+\)$/.test(stack.split('\n')[1]));
Error.prepareStackTrace = before;
console.log(new Error('back').stack.split('\n')[0]);
delete Error.prepareStackTrace;
console.log(new Error('without').stack.split('\n')[0]);

'use strict';
// All rejections of a batch are reported, also one that the listener of an earlier one handles.
process.on('unhandledRejection', (reason) => {
  console.log('unhandled', reason);
  if (reason === 'one') two.catch(() => console.log('caught two'));
});
process.on('rejectionHandled', (promise) => console.log('handled', promise === two));
Promise.reject('one');
const two = Promise.reject('two');
Promise.reject('three');

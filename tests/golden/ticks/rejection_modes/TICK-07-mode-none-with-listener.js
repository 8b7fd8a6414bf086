'use strict';
process.on('unhandledRejection', (reason) => console.log('listener', reason.message));
Promise.reject(new Error('one'));

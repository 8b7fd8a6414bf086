'use strict';
let count = 0;
process.on('unhandledRejection', (reason) => {
  console.log('unhandled', reason);
  if (count++ < 3) Promise.reject(`again ${count}`);
});
for (let i = 0; i < 3; i++) Promise.reject(`first ${i}`);
Promise.all([Promise.reject('all, a'), Promise.reject('all, b')]);
Promise.race([Promise.reject('race, a'), Promise.reject('race, b')]);
Promise.any([Promise.reject('any')]).catch((error) => console.log(error.constructor.name, error.errors.join()));
Promise.allSettled([Promise.reject('settled')]).then((results) => console.log(results[0].status));
Promise.reject('with finally').finally(() => console.log('finally'));
setTimeout(() => Promise.reject('from a timer'), 1);

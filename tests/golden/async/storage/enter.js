'use strict';
// run() puts back its own storage only: another one that was entered meanwhile stays entered.
const { AsyncLocalStorage, AsyncResource } = require('async_hooks');
const first = new AsyncLocalStorage();
const second = new AsyncLocalStorage();
const show = (label) => console.log(label, first.getStore(), second.getStore());

setTimeout(() => {
  first.run('run', () => {
    second.enterWith('entered');
    first.enterWith('changed');
    show('inside');
  });
  show('after run');
  second.run('inner', () => {
    first.enterWith('again');
    second.enterWith('gone');
    show('inside');
  });
  show('after run');
  first.exit(() => {
    second.enterWith('in exit');
    show('inside');
  });
  show('after exit');
  const resource = new AsyncResource('Mine');
  resource.runInAsyncScope(() => {
    first.enterWith('with the resource');
    show('scope');
  });
  show('after the scope');
  resource.runInAsyncScope(() => show('scope again'));
  (async () => {
    second.enterWith('before await');
    await null;
    second.enterWith('after await');
    await null;
    show('async function');
  })();
  show('who called it');
  Promise.resolve({ then(resolve) {
    first.enterWith('in then()');
    show('then()');
    resolve();
  } }).then(() => show('its reaction'));
}, 1);
setTimeout(() => show('another timeout'), 20);

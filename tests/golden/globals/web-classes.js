'use strict';
// Classes of browsers that are globals: events, errors, the navigator and storage of this process.
const show = (name, call) => {
  try {
    console.log(name, call());
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
};
show('close', () => {
  const event = new CloseEvent('close', { code: 70000, reason: 'x', wasClean: 1 });
  return [event.type, event.code, event.reason, event.wasClean, event instanceof Event, String(event)];
});
show('close without type', () => new CloseEvent());
show('close proto', () => CloseEvent.prototype.code);
show('error', () => {
  const event = new ErrorEvent('error', { message: 'm', filename: 'f', lineno: 1, colno: 2, error: 3 });
  return [event.type, event.message, event.filename, event.lineno, event.colno, event.error];
});
show('quota', () => {
  const error = new QuotaExceededError('m', { quota: 5, requested: 6 });
  return [error.name, error.message, error.code, error.quota, error.requested, error instanceof DOMException];
});
show('quota below zero', () => new QuotaExceededError('m', { quota: -1 }));
show('quota more than asked', () => new QuotaExceededError('m', { quota: 5, requested: 2 }));
show('navigator', () => [navigator.platform.startsWith('Linux '), navigator.languages.length, /^Node\.js\/\d+$/.test(navigator.userAgent)]);
show('navigator', () => navigator.hardwareConcurrency === require('os').availableParallelism());
show('Navigator', () => new Navigator());
show('Storage', () => new Storage());
show('set', () => sessionStorage.setItem('a', 1));
show('get', () => [sessionStorage.getItem('a'), sessionStorage.a, sessionStorage.getItem('zz'), sessionStorage.zz]);
sessionStorage.b = {};
show('keys', () => [Object.keys(sessionStorage), sessionStorage.key(0), sessionStorage.key(9), sessionStorage.length]);
show('storage', () => sessionStorage);
show('delete', () => [delete sessionStorage.a, 'a' in sessionStorage, sessionStorage.length]);
show('no value', () => sessionStorage.setItem('x'));
show('too much', () => sessionStorage.setItem('big', 'x'.repeat(11 * 1024 * 1024)));
show('JSON', () => JSON.stringify(sessionStorage));
show('clear', () => [sessionStorage.clear(), sessionStorage.length]);

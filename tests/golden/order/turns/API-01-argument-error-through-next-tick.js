'use strict';
function apiCall(arg, callback) {
  if (typeof arg !== 'string') {
    return process.nextTick(callback, new TypeError('argument should be string'), 'extra', 2);
  }
  process.nextTick(callback, null, arg.toUpperCase());
}
apiCall(5, (error, ...rest) => console.log(error.name, error.message, rest.join(' ')));
apiCall('text', (error, text) => console.log(error, text));
console.log('main');

'use strict';
for (const [name, call] of [['setTimeout', setTimeout], ['setInterval', setInterval], ['setImmediate', setImmediate],
  ['nextTick', process.nextTick], ['queueMicrotask', queueMicrotask]]) {
  for (const bad of [undefined, null, 0, '', 'code()', true, {}, [], Symbol('s'), 1n, /x/, new Date(0)]) {
    try {
      call(bad, 1);
      console.log(name, 'took it');
    } catch (error) {
      console.log(name, error.name, error.code, error.message);
    }
  }
  try {
    call();
  } catch (error) {
    console.log(name, error.code, error.message);
  }
}

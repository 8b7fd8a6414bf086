// A stream that fails, at once or later, does not end the program; its listeners are called.
const { Console } = require('console');
const { EventEmitter } = require('events');

class Failing extends EventEmitter {
  _writableState = { errorEmitted: false };
  constructor(when) { super(); this.when = when; }
  write(text, callback) {
    const error = new Error(`cannot write ${JSON.stringify(text)}`);
    const fail = () => {
      callback?.(error);
      this._writableState.errorEmitted = true;
      this.emit('error', error);
    };
    if (this.when === 'at once') fail();
    else if (this.when === 'next tick') process.nextTick(fail);
    else setImmediate(fail);
    return false;
  }
}
for (const when of ['at once', 'next tick', 'later']) {
  const quiet = new Failing(when);
  new Console(quiet).log('quiet');
  console.log(when, quiet.listenerCount('error'));
  const heard = new Failing(when);
  heard.on('error', (error) => console.log(when, 'heard', error.message));
  new Console(heard).error('heard');
  console.log(when, heard.listenerCount('error'));
  setImmediate(() => setImmediate(() => console.log(when, 'left', quiet.listenerCount('error'), heard.listenerCount('error'))));
}
// Those who do not want errors to be ignored get them.
const strict = new Failing('at once');
try {
  new Console({ stdout: strict, ignoreErrors: false }).log('strict');
} catch (error) {
  console.log('thrown', error.message);
}
// Running out of stack is never ignored.
const deep = new EventEmitter();
deep.write = function write() { return write(); };
try {
  new Console(deep).log('deep');
} catch (error) {
  console.log(error.name);
}

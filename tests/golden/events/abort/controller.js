'use strict';
const util = require('util');

const log = (...args) => console.log(...args);
const ac = new AbortController();
const { signal } = ac;
log(ac, signal, signal.aborted, signal.reason, signal === ac.signal);
signal.onabort = function(event) { log('onabort', this === signal, event.type, event.isTrusted, event.target === signal); };
signal.addEventListener('abort', () => log('listener'));
signal.onabort = () => log('replaced, in the first place');
log(typeof signal.onabort);
signal.throwIfAborted();
ac.abort();
ac.abort(new Error('second'));
log(signal.aborted, signal.reason.name, signal.reason.code, signal.reason.message, signal.reason instanceof DOMException);
try { signal.throwIfAborted(); } catch (err) { log(err === signal.reason); }
log(ac, util.inspect(ac, { depth: 0 }), util.inspect(signal, { depth: -1 }));
log(Object.prototype.toString.call(ac), Object.prototype.toString.call(signal), signal instanceof EventTarget);

log('-- reasons');
for (const reason of [undefined, null, 0, 'text', false]) log(AbortSignal.abort(reason).reason?.name ?? AbortSignal.abort(reason).reason);
log('-- any');
const a = new AbortController();
const b = new AbortController();
const both = AbortSignal.any([a.signal, b.signal]);
const nested = AbortSignal.any([both, AbortSignal.any([])]);
both.onabort = () => log('both', both.reason, nested.aborted);
nested.onabort = () => log('nested', nested.reason);
a.signal.onabort = () => log('a', both.aborted);
log(both.aborted, nested.aborted);
a.abort('by a');
b.abort('by b');
log(both.reason, nested.reason, b.signal.reason);
log(AbortSignal.any([new AbortController().signal, AbortSignal.abort(1), AbortSignal.abort(2)]).reason);
log(AbortSignal.any([a.signal, a.signal]).reason);

log('-- timeout');
const quick = AbortSignal.any([AbortSignal.timeout(1), new AbortController().signal]);
quick.addEventListener('abort', () => log('quick', quick.reason.name));
const slow = AbortSignal.timeout(80);
slow.addEventListener('abort', () => {
  log(slow.reason.name, slow.reason.code, slow.reason.message);
  util.aborted(signal, {}).then((value) => log('aborted', value));
  const late = new AbortController();
  util.aborted(late.signal, {}).then(() => log('late'));
  late.abort();
});
AbortSignal.timeout(100000); // Does not keep the program running.
setTimeout(() => {}, 120);

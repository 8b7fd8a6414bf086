'use strict';

process.on('uncaughtException', (err, origin) => console.log('uncaught', err.message, origin));
process.on('warning', (w) => console.log('warning', w.name, w.message, w.type, w.count));
const target = new EventTarget();
target.addEventListener('e', () => { throw new Error('sync'); });
target.addEventListener('e', async () => { throw new Error('async'); });
target.addEventListener('e', { handleEvent() { throw new Error('handleEvent'); } });
target.addEventListener('e', () => console.log('the last still runs'));
console.log(target.dispatchEvent(new Event('e')));
process.nextTick(() => console.log('tick'));

const attempt = (what) => {
  try {
    console.log(what());
  } catch (err) {
    console.log(err.name, err.code, err.message);
  }
};
attempt(() => new Event());
attempt(() => new Event('a', 1));
attempt(() => new Event('a', null).type);
attempt(() => new Event('a', []));
attempt(() => new Event(Symbol('x')));
attempt(() => new Event(undefined).type);
attempt(() => new Event('a', { get bubbles() { throw new Error('getter'); } }));
attempt(() => Event('x'));
for (const name of ['type', 'target', 'defaultPrevented', 'timeStamp', 'cancelBubble', 'isTrusted']) attempt(() => Event.prototype[name]);
attempt(() => Event.prototype.preventDefault.call({}));
attempt(() => { new Event('a').isTrusted = 5; });
attempt(() => new CustomEvent());
attempt(() => CustomEvent.prototype.detail);
attempt(() => target.addEventListener());
attempt(() => target.addEventListener('x'));
attempt(() => target.addEventListener('x', 1));
attempt(() => target.addEventListener('x', 'text'));
attempt(() => target.addEventListener('x', null));
attempt(() => target.addEventListener('x', () => {}, 1));
attempt(() => target.addEventListener('x', () => {}, { signal: 1 }));
attempt(() => target.addEventListener('x', () => {}, { signal: null }));
attempt(() => target.addEventListener(Symbol('x'), () => {}));
attempt(() => target.addEventListener.call({}, 'x', () => {}));
attempt(() => target.removeEventListener());
attempt(() => target.removeEventListener('x', 5));
attempt(() => target.removeEventListener('x', null));
attempt(() => target.dispatchEvent());
attempt(() => target.dispatchEvent({ type: 'x' }));
attempt(() => target.dispatchEvent.call({}, new Event('x')));
target.addEventListener('again', (event) => attempt(() => target.dispatchEvent(event)));
target.dispatchEvent(new Event('again'));
for (let i = 0; i < 12; i++) target.addEventListener('many', () => {});

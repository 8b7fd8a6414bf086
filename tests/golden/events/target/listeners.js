'use strict';

const log = (...args) => console.log(...args);
const target = new EventTarget();
const f = (event) => log('f', event.type);
target.addEventListener('x', (event) => {
  log(event.eventPhase, event.currentTarget === target, event.composedPath().length);
}, { once: true });
target.addEventListener('x', f);
target.addEventListener('x', f, { capture: false, once: true }); // The same listener: ignored.
target.addEventListener('x', f, true);
target.addEventListener('x', { handleEvent(event) { log('object', this !== target, event.target === target); } });
target.addEventListener('x', function() { log('this', this === target); }, { once: true });
target.addEventListener('x', () => { target.addEventListener('x', () => log('late'), { once: true }); log('adds'); }, { once: true });
target.addEventListener('x', {});
log(target.dispatchEvent(new Event('x')));
log('-- again');
target.removeEventListener('x', f);
target.removeEventListener('x', f, { capture: false });
target.dispatchEvent(new Event('x'));

log('-- cancel');
const stop = new EventTarget();
stop.addEventListener('s', (event) => { log('first'); event.stopImmediatePropagation(); });
stop.addEventListener('s', () => log('never'));
stop.addEventListener('p', (event) => { event.preventDefault(); log('prevented', event.defaultPrevented, event.returnValue); });
log(stop.dispatchEvent(new Event('s')), stop.dispatchEvent(new Event('p')), stop.dispatchEvent(new Event('p', { cancelable: true })));
const event = new Event('s', { bubbles: true, composed: true, cancelable: true });
log(event.bubbles, event.composed, event.cancelable, event.isTrusted, event.target, event.currentTarget, event.srcElement, event.eventPhase, event.cancelBubble);
event.stopPropagation();
log(event.cancelBubble, typeof event.timeStamp);
event.initEvent('other', false, false);
log(event.type, event.bubbles, event.cancelable);

log('-- signal');
const ac = new AbortController();
const s = new EventTarget();
s.addEventListener('a', () => log('a1'), { signal: ac.signal });
s.addEventListener('a', () => log('a2'));
s.dispatchEvent(new Event('a'));
ac.abort();
s.dispatchEvent(new Event('a'));
s.addEventListener('a', () => log('never'), { signal: ac.signal });
s.dispatchEvent(new CustomEvent('a', { detail: 1 }));
log(new CustomEvent('a').detail, new CustomEvent('a', { detail: [1] }).detail, new CustomEvent('a', { detail: 0 }).detail);

log('-- subclass');
class My extends EventTarget {
  #count = 0;
  constructor() { super(); this.addEventListener('inc', () => ++this.#count); }
  get count() { return this.#count; }
}
class MyEvent extends Event { constructor(value) { super('inc'); this.value = value; } }
const my = new My();
my.dispatchEvent(new MyEvent(1));
my.dispatchEvent(new MyEvent(2));
log(my.count, Object.prototype.toString.call(my), Object.prototype.toString.call(new MyEvent(1)));
log(Event.NONE, Event.CAPTURING_PHASE, Event.AT_TARGET, Event.BUBBLING_PHASE);
log(my, require('util').inspect(new EventTarget(), { depth: -1 }), require('util').inspect(new MyEvent(3)).replace(/timeStamp: [\d.]+/, 'timeStamp: T'));
const { getEventListeners } = require('events');
log(getEventListeners(my, 'inc').length, getEventListeners(my, 'nothing'));

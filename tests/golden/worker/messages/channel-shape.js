'use strict';
const { MessageChannel, MessagePort } = require('worker_threads');
function attempt(name, f) {
  try {
    console.log(name, f());
  } catch (e) {
    console.log(name, e.name, e.code, e.message);
  }
}
for (const name of ['MessageChannel', 'MessagePort', 'MessageEvent', 'BroadcastChannel']) {
  const d = Object.getOwnPropertyDescriptor(globalThis, name);
  console.log(name, typeof globalThis[name], d.enumerable, d.configurable, globalThis[name].name, globalThis[name].length);
}
console.log(globalThis.MessagePort === MessagePort, globalThis.MessageChannel === MessageChannel);
attempt('call', () => MessageChannel());
attempt('keys', () => Object.keys(new MessageChannel()));
const { port1 } = new MessageChannel();
attempt('tag', () => Object.prototype.toString.call(port1));
attempt('chain', () => Object.getPrototypeOf(port1) === MessagePort.prototype && Object.getPrototypeOf(Object.getPrototypeOf(MessagePort.prototype)) === EventTarget.prototype);
attempt('names', () => Object.getOwnPropertyNames(MessagePort.prototype).sort().join());
for (const name of ['postMessage', 'start', 'close', 'ref', 'unref', 'hasRef']) attempt(name, () => typeof port1[name]);
attempt('event', () => { const e = new MessageEvent('message', { data: 1, origin: 'o', lastEventId: 'l', source: port1, ports: [port1] }); return [e.data, e.origin, e.lastEventId, e.source === port1, e.ports.length, e.type, e instanceof Event]; });
attempt('event', () => { const e = new MessageEvent('x'); return [e.data, e.origin, e.lastEventId, e.source, e.ports, e.type]; });
attempt('ports', () => new MessageEvent('message', { ports: 1 }));
attempt('ports', () => new MessageEvent('message', { ports: [{}] }));
attempt('source', () => new MessageEvent('message', { source: {} }));
attempt('getter', () => Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data').get.call({}));
attempt('emit', () => { port1.on('x', (v) => console.log('x', v)); return port1.emit('x', 5); });

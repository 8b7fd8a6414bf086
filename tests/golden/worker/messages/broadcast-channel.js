'use strict';
const { BroadcastChannel, Worker, receiveMessageOnPort } = require('worker_threads');
function attempt(name, f) {
  try {
    console.log(name, f());
  } catch (e) {
    console.log(name, e.name, e.code, e.message);
  }
}
attempt('no name', () => new BroadcastChannel());
attempt('symbol', () => new BroadcastChannel(Symbol('x')));
attempt('number', () => { const c = new BroadcastChannel(5); const { name } = c; c.close(); return [name, c]; });
attempt('this', () => BroadcastChannel.prototype.postMessage.call({}, 1));
attempt('this', () => BroadcastChannel.prototype.close.call({}));
attempt('this', () => Object.getOwnPropertyDescriptor(BroadcastChannel.prototype, 'name').get.call({}));

const a = new BroadcastChannel('news');
const b = new BroadcastChannel('news');
const c = new BroadcastChannel('other');
attempt('no message', () => a.postMessage());
attempt('function', () => a.postMessage(() => {}));
attempt('inspect', () => a);
a.onmessage = () => console.log('never: one does not hear oneself');
c.onmessage = () => console.log('never: another name');
attempt('post', () => a.postMessage({ x: 1 }));
attempt('receive', () => receiveMessageOnPort(b));
b.onmessage = (e) => {
  console.log(e.constructor.name, e.data, e.target === b, e.type);
  if (e.data !== 'stop') return;
  a.close();
  attempt('closed', () => a.postMessage(1));
  attempt('closed twice', () => a.close());
  console.log(a);
  c.unref();
  console.log(c.ref() === c, c.unref() === c);
  threads();
};
b.addEventListener('message', (e) => console.log('listener', e.data));
a.postMessage(new Map([[1, 2]]));
a.postMessage('stop');

function threads() {
  b.onmessage = (e) => console.log('from a thread', e.data);
  const worker = new Worker('const c = new (require("worker_threads").BroadcastChannel)("news"); c.onmessage = (e) => { c.postMessage(`echo ${e.data}`); c.close(); }; require("worker_threads").parentPort.postMessage("ready");', { eval: true });
  worker.on('message', () => b.postMessage('to a thread'));
  worker.on('exit', () => setTimeout(() => b.close(), 5));
}

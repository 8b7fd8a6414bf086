'use strict';
const { MessageChannel, receiveMessageOnPort, markAsUntransferable } = require('worker_threads');

function attempt(name, f) {
  try {
    console.log(name, f());
  } catch (e) {
    console.log(name, e.name, e.code, e.message);
  }
}

const { port1, port2 } = new MessageChannel();
const buffer = new ArrayBuffer(8);
attempt('number', () => port1.postMessage(1, 1));
attempt('string', () => port1.postMessage(1, 'abc'));
attempt('null', () => port1.postMessage(1, null));
attempt('object', () => port1.postMessage(1, {}));
attempt('transfer number', () => port1.postMessage(1, { transfer: 1 }));
attempt('transfer null', () => port1.postMessage(1, { transfer: null }));
attempt('transfer undefined', () => port1.postMessage(1, { transfer: undefined }));
attempt('throwing getter', () => port1.postMessage(1, { get transfer() { throw new Error('x'); } }));
attempt('throwing iterator', () => port1.postMessage(1, { * [Symbol.iterator]() { throw new Error('y'); } }));
attempt('no arguments', () => port1.postMessage());
attempt('not transferable', () => port1.postMessage(1, [1]));
attempt('not transferable', () => port1.postMessage(1, [{}]));
attempt('view', () => port1.postMessage(1, [new Uint8Array(1)]));
attempt('source', () => port1.postMessage(1, [port1]));
attempt('twice', () => port1.postMessage(1, [buffer, buffer]));
const other = new MessageChannel();
attempt('port twice', () => port1.postMessage(1, [other.port1, other.port1]));
attempt('port missing', () => port1.postMessage(other.port1));
attempt('port missing, nested', () => port1.postMessage({ a: [other.port1] }));
attempt('function', () => port1.postMessage(() => {}));
attempt('symbol', () => port1.postMessage(Symbol('s')));
attempt('method', () => port1.postMessage({ f() {} }));
attempt('weak map', () => port1.postMessage(new WeakMap()));
attempt('promise', () => port1.postMessage(Promise.resolve()));
attempt('proxy', () => port1.postMessage(new Proxy({}, {})));
// A failed post moves nothing.
attempt('failed', () => port1.postMessage({ buffer, f() {} }, [buffer]));
console.log(buffer.byteLength);
const view = new Uint8Array(buffer);
view[0] = 7;
attempt('moved', () => port1.postMessage({ p: other.port1, view, list: [buffer] }, { transfer: [other.port1, buffer] }));
console.log(buffer.byteLength, view.length);
attempt('again', () => port1.postMessage(1, [other.port1]));
attempt('again', () => port1.postMessage(1, [buffer]));
attempt('again', () => port1.postMessage(buffer));
const stays = new ArrayBuffer(4);
markAsUntransferable(stays);
attempt('untransferable', () => [port1.postMessage(stays, [stays]), stays.byteLength]);
markAsUntransferable(1);
markAsUntransferable(null);
attempt('pool', () => { const b = Buffer.from('pooled'); return port1.postMessage(b, [b.buffer]) && b.toString(); });

let got;
while ((got = receiveMessageOnPort(port2)) !== undefined) {
  const { message } = got;
  if (message?.p !== undefined) {
    console.log(message.view, message.view.buffer === message.list[0]);
    message.p.postMessage('through it');
    console.log(receiveMessageOnPort(other.port2));
    message.p.close();
  } else {
    console.log(message);
  }
}

attempt('receive', () => receiveMessageOnPort({}));
attempt('receive', () => receiveMessageOnPort());
attempt('receive', () => receiveMessageOnPort(1));
attempt('structuredClone', () => structuredClone(port1));
attempt('structuredClone', () => { const c = new MessageChannel(); const p = structuredClone(c.port1, { transfer: [c.port1] }); p.postMessage('cloned'); const r = receiveMessageOnPort(c.port2); p.close(); return r; });

// A port that is posted to its own other end.
const self = new MessageChannel();
self.port1.on('close', () => console.log('its channel is lost'));
process.on('warning', (w) => console.log(w.name, w.message));
attempt('to itself', () => self.port1.postMessage(null, [self.port2]));
port1.close();

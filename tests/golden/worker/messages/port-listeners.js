'use strict';
// Both kinds of listeners; what starts a port and keeps the loop alive.
const { MessageChannel, MessagePort, receiveMessageOnPort } = require('worker_threads');
// Until poll has run, however late the timer is.
const wait = () => new Promise((resolve) => setTimeout(() => setImmediate(setImmediate, resolve), 5));

(async () => {
  {
    const { port1, port2 } = new MessageChannel();
    console.log(port1 instanceof MessagePort, port1 instanceof EventTarget, port1.hasRef(), port2.hasRef());
    port2.onmessage = function(e) {
      console.log('onmessage', e.constructor.name, e.data, e.ports.length, e.target === port2, this === port2, e.type, e.origin, e.lastEventId, e.source);
    };
    console.log(port2.hasRef(), typeof port2.onmessage);
    port2.addEventListener('message', (e) => console.log('listener', e.data));
    port2.addEventListener('message', { handleEvent(e) { console.log('object', e.data); } });
    port2.on('message', function(m) { console.log('on', m, this === port2); });
    port2.once('message', (m) => console.log('once', m));
    console.log(port2.listenerCount('message'), port2.eventNames().includes('message'));
    port1.postMessage({ a: 1 });
    port1.postMessage(2);
    await wait();
    port2.onmessage = null;
    port1.postMessage(3);
    await wait();
    console.log(port2.hasRef(), port2.onmessage);
    port2.close(() => console.log('close callback'));
    await wait();
    console.log(port2.hasRef(), port1.postMessage('nobody'));
  }
  {
    // Without listeners messages wait.
    const { port1, port2 } = new MessageChannel();
    port1.postMessage('a');
    port1.postMessage('b');
    await wait();
    console.log(receiveMessageOnPort(port2), receiveMessageOnPort(port2), receiveMessageOnPort(port2));
    const listener = (m) => console.log('got', m);
    port2.on('message', listener);
    console.log(port2.hasRef());
    port2.off('message', listener);
    console.log(port2.hasRef());
    port1.postMessage('c');
    await wait();
    console.log(receiveMessageOnPort(port2));
    port2.ref();
    console.log(port2.hasRef());
    port2.unref();
    console.log(port2.hasRef());
    // Started, but not listened to.
    port2.start();
    port1.postMessage('lost');
    await wait();
    console.log(receiveMessageOnPort(port2));
    port1.close();
    await wait();
    console.log(receiveMessageOnPort(port2), port2.hasRef());
  }
  {
    // Exceptions of a listener are uncaught, and the next message still arrives.
    const { port1, port2 } = new MessageChannel();
    process.once('uncaughtException', (e) => console.log('uncaught', e.message));
    port2.on('message', (m) => { if (m === 1) throw new Error('from a listener'); console.log('after it', m); port2.close(); });
    port1.postMessage(1);
    port1.postMessage(2);
  }
})();

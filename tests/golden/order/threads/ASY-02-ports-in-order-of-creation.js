'use strict';
// Ports deliver in order of creation, whatever the order of sending. A message that a handler sends to a younger port
// comes in the same pass, one to an older port in the next turn; a port that a handler creates is not part of the pass.
const a = new MessageChannel();
const b = new MessageChannel();
const c = new MessageChannel();
const all = { a, b, c };

function on(name, handler) {
  all[name].port1.on('message', (message) => { console.log(name, message); handler(message); });
}

on('a', (message) => {
  if (message !== 1) return;
  setImmediate(() => console.log('immediate'));
  c.port2.postMessage('from a');
});
on('b', (message) => {
  if (message !== 1) return;
  a.port2.postMessage('from b');
  const d = new MessageChannel();
  d.port1.on('message', (text) => {
    console.log('d', text);
    for (const channel of [a, b, c, d]) channel.port1.close();
  });
  d.port2.postMessage('from b');
});
on('c', () => {});
b.port2.postMessage(1);
a.port2.postMessage(1);

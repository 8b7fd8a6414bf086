'use strict';
// Ports move with messages on their way in them, also through several hands.
const { MessageChannel } = require('worker_threads');
const road = new MessageChannel();
const second = new MessageChannel();
const cargo = new MessageChannel();
for (let i = 0; i < 3; i++) cargo.port1.postMessage(`before ${i}`);
road.port1.postMessage(cargo.port2, [cargo.port2]);
for (let i = 0; i < 3; i++) cargo.port1.postMessage(`on the way ${i}`);
cargo.port2.on('close', () => console.log('the old object closes'));
road.port2.once('message', (port) => {
  cargo.port1.postMessage('arrived once');
  second.port1.postMessage({ port }, [port]);
});
second.port2.once('message', ({ port }) => {
  cargo.port1.postMessage('arrived twice');
  port.on('message', (m) => console.log(m));
  port.on('close', () => {
    console.log('closed');
    road.port1.close();
    second.port1.close();
  });
  cargo.port1.postMessage('last');
  cargo.port1.close();
});

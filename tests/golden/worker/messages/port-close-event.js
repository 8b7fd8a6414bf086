'use strict';
// 'close' of a MessagePort is an event of its own class, for both kinds of listeners.
const { port1, port2 } = new MessageChannel();

port1.on('close', function(...given) {
  const [event] = given;
  console.log('on', given.length, event.constructor.name, event.type, event instanceof Event, event.target === port1, this === port1);
});
port2.addEventListener('close', (event) => {
  console.log('addEventListener', event.constructor.name, event.type, event.cancelable, event instanceof MessageEvent);
});
port1.close((event) => console.log('callback', event.constructor.name));

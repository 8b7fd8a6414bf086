// A broadcast channel that a listener closes receives nothing more, neither queued nor later messages.
'use strict';
const one = new BroadcastChannel('a').unref();
const two = new BroadcastChannel('a');
two.onmessage = ({ data }) => {
  console.log('two', data);
  two.close();
  const three = new BroadcastChannel('a');
  three.onmessage = (event) => {
    console.log('three', event.data);
    three.close();
  };
  one.postMessage('done');
};
one.postMessage('first');
one.postMessage('second');

// The names of the module, subclasses, the diagnostics channel and Symbol.asyncDispose.
const dgram = require('node:dgram');
const { EventEmitter } = require('node:events');
const { inherits } = require('node:util');
const { channel } = require('node:diagnostics_channel');

console.log(Object.keys(dgram), require('dgram') === dgram);
const members = Object.entries(Object.getOwnPropertyDescriptors(dgram.Socket.prototype));
for (const [name, { value, enumerable }] of members.sort()) console.log(name, value.length, enumerable);
console.log(Object.getOwnPropertySymbols(dgram.Socket.prototype));
console.log(dgram.Socket.name, dgram.Socket.length, dgram.createSocket.length);
console.log(Object.getPrototypeOf(dgram.Socket) === EventEmitter);

const seen = [];
channel('udp.socket').subscribe(({ socket }) => seen.push(socket));
function Own() {
  dgram.Socket.call(this, 'udp4');
}
inherits(Own, dgram.Socket);
const own = new Own();
console.log(own instanceof EventEmitter, own.type, seen[0] === own);
class Other extends dgram.Socket {}
const other = new Other({ type: 'udp6' });
console.log(other.type, seen.length, Object.keys(other));
own.close();
(async () => {
  {
    await using socket = other;
    socket.on('close', () => console.log('close'));
  }
  console.log('disposed');
  await other[Symbol.asyncDispose]();
  console.log('disposed twice');
})();

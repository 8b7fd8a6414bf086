// Sends, connect() and close() of a socket that is not bound yet wait in order until it is. Datagrams to names follow
// the order in which look-ups answer.
const dgram = require('node:dgram');
const answers = [];
const lookup = (name, family, callback) => {
  if (/^[0-9.]+$/.test(name)) return process.nextTick(callback, null, name, family);
  console.log('look-up of', name, family);
  if (name === 'unknown') return setImmediate(callback, Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }));
  answers.push(() => callback(null, '127.0.0.1', family));
};

const receiver = dgram.createSocket('udp4');
const seen = [];
let failures = 0;
// Calls `then` when `is` returns true: messages arrive as late as the machine likes.
function when(is, then) {
  if (is()) then();
  else setImmediate(when, is, then);
}

receiver.on('message', (message) => seen.push(String(message)));
receiver.bind(0, '127.0.0.1', () => {
  const { port } = receiver.address();
  const sender = dgram.createSocket({ type: 'udp4', lookup });
  sender.on('listening', () => console.log('listening'));
  sender.on('error', (error) => {
    failures++;
    console.log('error', error.message);
  });
  sender.send('a', port, '127.0.0.1', () => console.log('sent a'));
  sender.send('slow', port, 'slow.name', () => console.log('sent slow'));
  sender.send('b', port, '127.0.0.1', () => console.log('sent b'));
  sender.send('x', port, 'unknown', (error) => {
    failures++;
    console.log('not sent:', error.message);
  });
  sender.send('y', port, 'unknown');
  console.log('called');
  when(() => seen.length === 2 && failures === 2, () => {
    console.log(seen.splice(0));
    answers.shift()();
    when(() => seen.length === 1, () => {
      console.log(seen.splice(0));
      sender.close();
      closing(port);
    });
  });
});

// close() waits as well, so everything is sent.
function closing(port) {
  const socket = dgram.createSocket('udp4');
  socket.connect(port, '127.0.0.1', () => console.log('never connected'));
  socket.on('connect', () => console.log('never'));
  socket.on('close', () => console.log('close'));
  socket.close(() => console.log('closed'));
  const other = dgram.createSocket('udp4');
  other.send('before close', port, '127.0.0.1', (error, size) => console.log('sent', error, size));
  other.close(() => {
    console.log('other closed');
    setTimeout(() => {
      console.log(seen);
      receiver.close();
    }, 20);
  });
}

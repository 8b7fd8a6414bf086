// A socket without a reference does not keep the program alive.
const dgram = require('node:dgram');
const list = () => process.getActiveResourcesInfo().filter((name) => name === 'UDPWrap');
const first = dgram.createSocket('udp4');
console.log(first.unref() === first, first.ref() === first);
first.bind(0, '127.0.0.1', () => {
  const second = dgram.createSocket('udp4').unref();
  second.on('message', (message) => {
    console.log('message', String(message), list());
    first.unref();
    process.on('exit', () => {
      console.log('exit', list());
      first.close();
      second.close();
    });
  });
  second.bind(0, '127.0.0.1', () => {
    console.log(list());
    first.send('x', second.address().port, '127.0.0.1');
  });
});

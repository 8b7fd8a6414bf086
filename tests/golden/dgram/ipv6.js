// IPv6: addresses, the wildcard that receives from both families, and the one that does not.
const dgram = require('node:dgram');
const server = dgram.createSocket('udp6');
const fail = (error) => console.log(error.message.replace(/\d+$/, 'PORT'), error.address);

server.bind(0, () => {
  const { address, family, port } = server.address();
  console.log(address, family);
  const four = dgram.createSocket('udp4');
  const six = dgram.createSocket('udp6');
  four.send('from IPv4', port, '127.0.0.1', () => six.send('from IPv6', port, () => {
    six.send('x', port, '127.0.0.1', (error) => {
      console.log(error === null || fail(error));
      four.send('x', port, '::1', (other) => {
        console.log(other === null || fail(other));
      });
    });
  }));
  let count = 0;
  server.on('message', (message, { address: from, family: type, size }) => {
    console.log(String(message), from, type, size);
    if (++count < 2) return;
    setTimeout(() => {
      four.close();
      six.close();
      server.close(only);
    }, 20);
  });
});

function only() {
  const six = dgram.createSocket({ type: 'udp6', ipv6Only: true });
  const four = dgram.createSocket('udp4');
  six.bind(0, () => four.bind(six.address().port, () => {
    console.log('both have the port');
    six.close();
    four.close();
  }));
}

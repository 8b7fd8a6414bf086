'use strict';
// Rules that are added in bulk, removed, written and read; sockets and servers that follow them.
const net = require('node:net');

const list = new net.BlockList();
const attempt = (call) => {
  try {
    return call();
  } catch (error) {
    return `${error.name} ${error.code} ${error.message}`;
  }
};
list.addCIDRs(['10.0.0.0/8', 'fe80::/10']);
list.addAddresses(['5.5.5.5', '5.5.5.6']);
list.addRange('1.1.1.1', '1.1.1.9');
console.log(list.rules.sort(), list.size, net.BlockList.isBlockList(list), net.BlockList.isBlockList({}));
for (const bad of ['x', '1.2.3.4', '1.2.3.4/33', 5]) console.log(attempt(() => list.addCIDR(bad)));
console.log(attempt(() => list.addCIDRs('x')), attempt(() => list.addAddresses([5])));
list.removeCIDR('10.0.0.0/8');
list.removeAddress('5.5.5.5');
list.removeRange('1.1.1.1', '1.1.1.9');
console.log(list.rules.sort(), list.check('5.5.5.5'), list.check('5.5.5.6'));
const copy = new net.BlockList();
copy.fromJSON(JSON.stringify(list));
console.log(copy.rules.sort(), structuredClone(list).rules.sort(), attempt(() => copy.fromJSON(5)), attempt(() => copy.fromJSON([5])));
copy.clear();
console.log(copy.size, net.BlockList.PRIVATE_RANGES);
for (const text of ['1.2.3.4', '1.2.3.4:8080', '[::1]:8080', '::1', 'x', '']) {
  const address = net.SocketAddress.parse(text);
  console.log(text, address && [address.address, address.port, address.family]);
}
console.log(attempt(() => net.createServer({ blockList: {} })), attempt(() => new net.Socket({ blockList: 5 })));

copy.addAddress('127.0.0.1');
const server = net.createServer({ blockList: copy }, () => console.log('never')).listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  net.connect({ port, host: '127.0.0.1', blockList: copy }).on('error', (error) => {
    console.log(error.code, error.message);
    net.connect(port, '127.0.0.1').on('error', () => {}).on('close', () => server.close(() => console.log('closed')));
  });
});

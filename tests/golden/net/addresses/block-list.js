// BlockList and SocketAddress, in use and in misuse.
const net = require('node:net');

function attempt(fn) {
  try {
    console.log(fn());
  } catch (error) {
    console.log(error.code, '|', error.message, '|', error.name);
  }
}
const b = new net.BlockList();
attempt(() => b.addAddress('1.1.1.1'));
attempt(() => b.addAddress('x'));
attempt(() => b.addAddress(5));
attempt(() => b.addAddress('::1', 'foo'));
attempt(() => b.addAddress('::1', 5));
attempt(() => b.addRange('1.1.1.1', '1.1.1.0'));
attempt(() => b.addRange('1.1.2.1', '1.1.2.9'));
attempt(() => b.addSubnet('8.8.8.8', 33));
attempt(() => b.addSubnet('8.8.8.8', 24));
attempt(() => b.addSubnet('8592:757c:efae:4e45::', 64, 'ipv6'));
attempt(() => b.addSubnet('8.8.8.8', '24'));
attempt(() => b.addSubnet());
attempt(() => b.rules);
attempt(() => b.check('1.1.1.1'));
attempt(() => b.check('::ffff:1.1.1.1', 'ipv6'));
attempt(() => b.check('::ffff:7b7b:7b7b', 'ipv6'));
attempt(() => b.check('8.8.8.200'));
attempt(() => b.check('8592:757c:efae:4e45::1', 'ipv6'));
attempt(() => b.check('x'));
attempt(() => b.check(5));
attempt(() => b.check('8592:757c:efae:4e46::1', 'ipv6'));
attempt(() => b.check('8.8.9.0'));
attempt(() => b.check('1.1.2.5'));
attempt(() => b.check('1.1.2.10'));
attempt(() => b.check(new net.SocketAddress({ address:'1.1.1.1' })));
attempt(() => b);
attempt(() => new net.SocketAddress());
attempt(() => new net.SocketAddress({ family:'ipv6' }));
attempt(() => new net.SocketAddress({ family:'IPv6', address:'1:0:0:0:2:0:0:3', port:5, flowlabel:6 }).toJSON());
attempt(() => new net.SocketAddress({ address:'x' }));
attempt(() => new net.SocketAddress({ family:'x' }));
attempt(() => new net.SocketAddress({ port:-1 }));
attempt(() => new net.SocketAddress({ flowlabel:-1 }));
attempt(() => new net.SocketAddress(5));
attempt(() => new net.SocketAddress({ address:'::1' }));
attempt(() => net.SocketAddress.isSocketAddress({}));
attempt(() => net.SocketAddress.isSocketAddress(new net.SocketAddress()));
attempt(() => net.SocketAddress.isSocketAddress(null));
attempt(() => new net.SocketAddress({ address:5 }));
const addresses = ['::1.2.3.4', 'fe80::1', '::', '::1', '1::', '0:0:0:1:0:0:0:0', '1:2:3:4:5:6:7:8', '::ffff:1.2.3.4', '1:0:2:0:3:0:4:0', 'ABCD::EF01', '0:0:1::', '::2:3', '64:ff9b::1.2.3.4', '2001:db8:0:0:1:0:0:1',
];
for (const address of addresses) attempt(() => new net.SocketAddress({ family: 'ipv6', address }).address);
attempt(() => JSON.stringify(new net.SocketAddress({ port:1, flowlabel:3 })));
attempt(() => b.addRange('1.1.1.1', '::1', 'ipv6'));

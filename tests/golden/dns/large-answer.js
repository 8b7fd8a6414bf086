// An answer of 20 KiB in one datagram, and no cache: the second query reaches the server, too.
const dgram = require('node:dgram');
const dns = require('node:dns');

const kCount = 1000;
const server = dgram.createSocket('udp4');
let received = 0;
server.on('message', (query, peer) => {
  received++;
  const records = [];
  for (let i = 0; i < kCount; i++) {
    // A pointer to the name of the question, type A, class IN, TTL, and the address.
    records.push(0xc0, 12, 0, 1, 0, 1, 0, 0, i >> 8, i & 255, 0, 4, 10, received, i >> 8, i & 255);
  }
  const header = Buffer.from(query);
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(kCount, 6);
  server.send(Buffer.concat([header, Buffer.from(records)]), peer.port, peer.address);
});
server.bind(0, '127.0.0.1', async () => {
  const resolver = new dns.promises.Resolver({ timeout: 60000, tries: 1, maxTimeout: 60000 });
  resolver.setServers([`127.0.0.1:${server.address().port}`]);
  for (let i = 0; i < 2; i++) {
    const found = await resolver.resolve4('a.test', { ttl: true });
    console.log(found.length, found[0], found[257], found[kCount - 1]);
  }
  console.log((await resolver.resolveAny('a.test')).length, received);
  server.close();
});

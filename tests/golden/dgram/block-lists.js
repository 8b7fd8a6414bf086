// Block lists: for messages, for sends and for connect().
const dgram = require('node:dgram');
const { BlockList } = require('node:net');
const blocked = new BlockList();
blocked.addAddress('127.0.0.1');
const others = new BlockList();
others.addAddress('10.1.1.1');

const server = dgram.createSocket({ type: 'udp4', receiveBlockList: blocked });
const open = dgram.createSocket({ type: 'udp4', receiveBlockList: others });
server.on('message', () => console.log('never'));
server.bind(0, '127.0.0.1', () => open.bind(0, '127.0.0.1', () => {
  const client = dgram.createSocket({ type: 'udp4', sendBlockList: others });
  client.send('x', server.address().port, '127.0.0.1', (error, size) => {
    console.log(error, size);
    client.send('y', open.address().port, '127.0.0.1');
    client.send('z', 1, '10.1.1.1', (refused) => console.log(refused.code, refused.message));
    client.send('z', 1, '10.1.1.1');
  });
  open.on('message', (message) => {
    console.log('message', String(message));
    client.connect(1, '10.1.1.1', (error2) => {
      console.log(error2.code);
      try {
        client.connectSync(1, '10.1.1.1');
      } catch (error3) {
        console.log(error3.code, error3.message);
      }
      client.close();
      open.close();
      server.close();
    });
  });
}));

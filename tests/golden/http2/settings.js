'use strict';
// Settings: defaults, the packed form, checks, and their exchange.
const http2 = require('http2');

function failure(fn) {
  try {
    return fn();
  } catch (error) {
    return `${error.name} ${error.code} ${error.message} ${error.actual} ${error.min} ${error.max}`;
  }
}

console.log(http2.getDefaultSettings());
const all = {
  headerTableSize: 100, enablePush: false, maxConcurrentStreams: 7, initialWindowSize: 70000, maxFrameSize: 20000,
  maxHeaderListSize: 9000, enableConnectProtocol: true, customSettings: { 1244: 456, 200: 3 },
};
const packed = http2.getPackedSettings(all);
console.log(packed.toString('hex'));
console.log(http2.getUnpackedSettings(packed));
console.log(http2.getPackedSettings().length, http2.getPackedSettings({ enablePush: true }).toString('hex'));
console.log(http2.getPackedSettings({ customSettings: { 3: 5 } }), http2.getPackedSettings({ customSettings: { 1: 5 } }));
console.log(http2.getPackedSettings({ customSettings: { 2: 1, 4: 5 } })?.toString('hex'));
console.log(http2.getUnpackedSettings(new Uint8Array(0)), http2.getUnpackedSettings(new Uint16Array([0, 2, 0, 0, 0, 1])));
for (const value of [1, 'x', null, {}, new DataView(new ArrayBuffer(6)), Buffer.alloc(5)]) {
  console.log(failure(() => http2.getUnpackedSettings(value)));
}
console.log(failure(() => http2.getUnpackedSettings(Buffer.from('0005ffffffff', 'hex'), { validate: true })));
for (const [name, values] of Object.entries({
  headerTableSize: [-1, 2 ** 32, '1', null, NaN], initialWindowSize: [-1, 2 ** 31, Infinity],
  maxFrameSize: [16383, 2 ** 24], maxConcurrentStreams: [-1, 2 ** 32], maxHeaderListSize: [-1, 2 ** 32],
  maxHeaderSize: [-1, 2 ** 32], enablePush: [1, null, 'x'], enableConnectProtocol: [0],
  customSettings: ['x', null, { 70000: 1 }, { 5000: -1 }, { 5000: 0 }, { 0: 1 },
                   Object.fromEntries(Array.from({ length: 11 }, (_, i) => [1000 + i, 1]))],
})) {
  for (const value of values) console.log(name, failure(() => http2.getPackedSettings({ [name]: value })));
}
for (const value of [1, 'x', null, []]) console.log(failure(() => http2.getPackedSettings(value)));

const server = http2.createServer({ settings: { maxConcurrentStreams: 50, initialWindowSize: 1000 } });
server.on('session', (session) => {
  session.on('remoteSettings', (settings) => console.log('server got', settings.headerTableSize, settings.enablePush));
});
server.updateSettings({ maxFrameSize: 20000 });
console.log(failure(() => server.updateSettings({ maxFrameSize: 1 })), failure(() => server.updateSettings('x')));
server.listen(0, '127.0.0.1', () => {
  const client = http2.connect(`http://127.0.0.1:${server.address().port}`, {
    settings: { enablePush: false }, remoteCustomSettings: [55],
  });
  console.log(client.localSettings, client.remoteSettings, client.pendingSettingsAck);
  client.once('remoteSettings', (settings) => {
    console.log('client got', settings);
    console.log(failure(() => client.settings({ maxFrameSize: 1 })), failure(() => client.settings({}, 'x')));
    client.settings({ headerTableSize: 2048 }, (error, local, duration) => {
      console.log(error, local.headerTableSize, typeof duration, client.pendingSettingsAck);
      client.close();
      server.close();
      console.log(failure(() => client.settings(1)));
    });
    console.log(client.pendingSettingsAck, client.localSettings.headerTableSize);
  });
  client.on('close', () => console.log(failure(() => client.settings({})), client.localSettings.headerTableSize));
});

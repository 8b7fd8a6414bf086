// needs: mosquitto
// mqtt: qualities of service, retained messages, wills, wildcards and persistent sessions, over TCP and WebSockets.
import { once } from 'node:events';
import mqtt from 'mqtt';

const { TEST_MQTT_PORT: port, TEST_MQTT_WEB_PORT: webPort } = process.env;
const login = { username: 'tester', password: 'secret', reconnectPeriod: 0 };

for (const url of [`mqtt://127.0.0.1:${port}`, `ws://127.0.0.1:${webPort}`]) {
  for (const protocolVersion of [4, 5]) {
    const client = await mqtt.connectAsync(url, { ...login, protocolVersion });
    const messages = [];
    const { promise: all, resolve } = Promise.withResolvers();
    client.on('message', (topic, payload, packet) => {
      messages.push(`${topic} ${payload.length > 20 ? payload.length : payload} qos ${packet.qos}`);
      if (messages.length === 4) resolve();
    });
    console.log((await client.subscribeAsync(['a/+/c', 'big'], { qos: 2 })).map(({ topic, qos }) => `${topic} ${qos}`));
    for (const qos of [0, 1, 2]) await client.publishAsync(`a/${qos}/c`, `of quality ${qos}`, { qos });
    await client.publishAsync('a/b', 'not subscribed');
    // Mosquitto takes 12 s to send 500 KB over a WebSocket.
    await client.publishAsync('big', Buffer.alloc(url.startsWith('ws') ? 5_000 : 500_000, 1), { qos: 1 });
    await all;
    console.log(url.slice(0, 4), protocolVersion, messages.sort());
    await client.endAsync();
  }
}

const watcher = await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, login);
await watcher.subscribeAsync('will');
const lost = await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, { ...login, will: { topic: 'will', payload: 'lost', qos: 1, retain: false } });
const will = once(watcher, 'message');
lost.stream.destroy();
console.log('will', String((await will)[1]));
await watcher.publishAsync('kept', 'retained', { retain: true, qos: 1 });
const kept = once(watcher, 'message');
await watcher.subscribeAsync('kept');
console.log('kept', String((await kept)[1]), (await kept)[2].retain);

const session = { ...login, clientId: 'the same', clean: false };
const before = await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, session);
await before.subscribeAsync('later', { qos: 1 });
await before.endAsync();
await watcher.publishAsync('later', 'while away', { qos: 1 });
const after = mqtt.connect(`mqtt://127.0.0.1:${port}`, session);
const [[connected], [, later]] = await Promise.all([once(after, 'connect'), once(after, 'message')]);
console.log('session', connected.sessionPresent, String(later));
await Promise.all([watcher, after].map((client) => client.endAsync()));
await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, { ...login, password: 'wrong' }, false).catch((error) => console.log(error.message));
console.log('done');

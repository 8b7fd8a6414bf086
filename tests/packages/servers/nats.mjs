// needs: nats
// nats: subscriptions, queue groups, requests, headers, a stream of JetStream and a key-value store.
import { AckPolicy, connect, headers, JSONCodec, StringCodec } from 'nats';

const text = StringCodec();
const json = JSONCodec();
const servers = `127.0.0.1:${process.env.TEST_NATS_PORT}`;
const [one, two] = [await connect({ servers }), await connect({ servers })];

const sums = one.subscribe('sum', { queue: 'workers' });
const more = one.subscribe('sum', { queue: 'workers' });
for (const subscription of [sums, more]) {
  (async () => {
    for await (const message of subscription) {
      const reply = headers();
      reply.set('X-Seen', message.headers?.get('X-Name') ?? 'nobody');
      message.respond(json.encode(json.decode(message.data).reduce((a, b) => a + b, 0)), { headers: reply });
    }
  })();
}
await one.flush();
const name = headers();
name.set('X-Name', 'ann');
const answer = await two.request('sum', json.encode([1, 2, 3]), { headers: name, timeout: 10_000 });
console.log(json.decode(answer.data), answer.headers.get('X-Seen'));
const many = await Promise.all(Array.from({ length: 200 }, (_, i) =>
  two.request('sum', json.encode([i, i]), { timeout: 10_000 })));
console.log(many.reduce((sum, { data }) => sum + json.decode(data), 0), sums.getProcessed() + more.getProcessed());
await two.request('nobody.listens', '', { timeout: 10_000 }).catch((error) => console.log(error.code));

const wild = two.subscribe('events.>', { max: 3 });
await two.flush();
for (const subject of ['events.a', 'other', 'events.a.b', 'events.c']) {
  one.publish(subject, text.encode(`to ${subject}`));
}
const got = [];
for await (const { subject, data } of wild) got.push(`${subject}: ${text.decode(data)}`);
console.log(got);
const large = two.subscribe('large', { max: 1 });
await two.flush();
one.publish('large', new Uint8Array(900_000).fill(5));
for await (const { data } of large) console.log(data.length, data.every((byte) => byte === 5));

const manager = await one.jetstreamManager();
await manager.streams.add({ name: 'orders', subjects: ['orders.*'] });
const stream = one.jetstream();
for (let i = 1; i <= 10; i++) {
  console.log((await stream.publish(`orders.${i}`, json.encode({ i }), { msgID: `${i % 8}` })).duplicate);
}
await manager.consumers.add('orders', { durable_name: 'worker', ack_policy: AckPolicy.Explicit });
const consumer = await stream.consumers.get('orders', 'worker');
const taken = [];
for await (const message of await consumer.fetch({ max_messages: 8, expires: 30_000 })) {
  taken.push(message.seq);
  await message.ackAck();
}
console.log(taken, (await consumer.info()).num_ack_pending);
const store = await stream.views.kv('settings', { history: 3 });
await store.put('color', text.encode('red'));
await store.put('color', text.encode('blue'));
console.log((await store.get('color')).string());
await store.create('color', 'x').catch((error) => console.log(error.api_error?.err_code));
await two.drain();
await one.drain();
console.log(await connect({ servers: '127.0.0.1:1', reconnect: false, maxReconnectAttempts: 0 })
  .catch((error) => error.code));
console.log('done');

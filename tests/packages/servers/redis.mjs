// needs: redis
import Redis from 'ioredis';
import { createClient } from 'redis';

const port = +process.env.TEST_REDIS_PORT;
const one = new Redis({ host: '127.0.0.1', port, lazyConnect: true });
await one.connect();
console.log('ioredis', await one.ping(), await one.set('key', 'value'), await one.get('key'));
const pipeline = one.pipeline();
for (let i = 0; i < 500; i++) pipeline.incr('counter');
console.log((await pipeline.exec()).at(-1));
console.log(await one.hset('hash', { a: 1, b: 'two' }), await one.hgetall('hash'),
  await one.eval('return ARGV[1] .. KEYS[1]', 1, 'k', 'v'));
await one.get('hash').catch((error) => console.log(error.name, error.message.split(' ')[0]));
const big = 'x'.repeat(3 << 20);
await one.set('big', big);
console.log((await one.get('big')) === big, (await one.getBuffer('key')).equals(Buffer.from('value')));

const two = createClient({ url: `redis://127.0.0.1:${port}` });
two.on('error', (error) => console.log('error', error.message));
await two.connect();
console.log('redis', await two.get('key'), await two.multi().set('m', '1').incr('m').exec());
const listener = two.duplicate();
await listener.connect();
let tell;
const message = new Promise((resolve) => { tell = resolve; });
await listener.subscribe('channel', tell);
console.log(await two.publish('channel', 'hello'), await message);
await listener.close();
await two.close();
one.disconnect();
console.log('done');

// Questions to the database of examples/scale. Needs DATABASE_URL, in a folder with the files of the example.
//   audit.mjs busy HOST...       one worker of these hosts, HOST/PID, that has begun a job and not finished it
//   audit.mjs check < ORDERS     after all orders are paid: their number, and what is wrong
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { openDatabase } from './stores.mjs';

const kPauseMs = 20;
const kMostTries = 3000;

const pool = openDatabase();
const rows = async (sql, values) => (await pool.query(sql, values)).rows;

async function until(attempt) {
  for (let i = 0; i < kMostTries; i++) {
    const found = await attempt();
    if (found !== undefined) return found;
    await wait(kPauseMs);
  }
  throw new Error('the database does not change');
}

// The newest attempt of an order that is not paid. It is recent, as older ones may be those of a killed worker.
function busy(hosts) {
  return until(async () => (await rows(
    `SELECT worker FROM attempts LEFT JOIN payments USING (order_id)
     WHERE paid IS NULL AND split_part(worker, '/', 1) = ANY($1) AND started > clock_timestamp() - interval '40 ms'
     ORDER BY started DESC LIMIT 1`, [hosts]))[0]?.worker);
}

async function check(accepted) {
  await until(async () => {
    const [{ n }] = await rows(
      'SELECT count(*)::int AS n FROM orders LEFT JOIN payments ON order_id = id WHERE paid IS NULL');
    return n === 0 ? true : undefined;
  });
  const known = new Map((await rows('SELECT id, customer, amount FROM orders JOIN payments ON order_id = id'))
    .map((order) => [order.id, order]));
  const lost = accepted.filter(({ id, customer, amount }) =>
    known.get(id)?.customer !== customer || known.get(id).amount !== amount);
  // Money that was taken twice, or not at all.
  const unbalanced = await rows(
    `SELECT customer, balance::int, due FROM accounts FULL JOIN (SELECT customer, sum(amount)::int AS due FROM orders
     GROUP BY customer) AS sums USING (customer) WHERE balance IS DISTINCT FROM due`);
  const [{ attempts, repeated }] = await rows(
    `SELECT sum(n)::int AS attempts, count(*) FILTER (WHERE n > 1)::int AS repeated
     FROM (SELECT count(*) AS n FROM attempts GROUP BY order_id) AS per_order`);
  return { paid: known.size, lost, unbalanced, attempts, repeated };
}

const [command, ...words] = process.argv.slice(2);
const result = command === 'busy' ? await busy(words) : await check(JSON.parse(await text(process.stdin)));
console.log(JSON.stringify(result));
await pool.end();

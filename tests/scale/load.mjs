// Customers of examples/scale: each places one order after the other, with retries under the same key until the order
// is accepted, and looks at its session in between. Lines on standard input: `phase NAME`, `count`, `stop`. Prints a
// line of JSON for each accepted order, their number, and the results when it stops.
//   rondo load.mjs http://PROXY CUSTOMERS
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';

const [base, customers] = process.argv.slice(2);
const kPatienceMs = 20_000;
const kPauseMs = 20;
const kMostFailuresOfARequest = 200;

let phase = 'start';
let isStopping = false;
const phases = {}; // NAME -> { requests, failed }
const failures = {}; // Kind of failure -> how often.
const versions = {}; // HOST/VERSION -> answers.
const accepted = [];
const wrong = [];

// The response of a request that did not fail; null otherwise. A request belongs to the phase that it began in.
async function attempt(path, options, status) {
  const counts = (phases[phase] ??= { requests: 0, failed: 0 });
  counts.requests++;
  let problem;
  try {
    const response = await fetch(base + path, { ...options, signal: AbortSignal.timeout(kPatienceMs) });
    const body = await response.text();
    if (response.status === status) {
      const [host, , version] = response.headers.get('x-served-by').split('/');
      versions[`${host}/${version}`] = (versions[`${host}/${version}`] ?? 0) + 1;
      return { headers: response.headers, body: JSON.parse(body) };
    }
    problem = `${response.status} ${path.split('/')[1]}`;
  } catch (error) {
    problem = `${error.name} ${error.cause?.code ?? error.message}`;
  }
  counts.failed++;
  failures[problem] = (failures[problem] ?? 0) + 1;
  return null;
}

async function request(path, options, status) {
  for (let i = 0; i < kMostFailuresOfARequest; i++) {
    const response = await attempt(path, options, status);
    if (response) return response;
    await wait(kPauseMs);
  }
  throw new Error(`${path} failed ${kMostFailuresOfARequest} times: ${JSON.stringify(failures)}`);
}

async function customer(number) {
  const name = `customer-${number}`;
  const login = await request('/login', { method: 'POST', body: JSON.stringify({ customer: name }) }, 201);
  const headers = { cookie: login.headers.get('set-cookie').split(';')[0] };
  let visits = 0;
  for (let i = 1; !isStopping; i++) {
    const id = randomUUID();
    const amount = (number + i) % 90 + 1;
    const order = { method: 'POST', body: JSON.stringify({ amount }), headers: { ...headers, 'idempotency-key': id } };
    await request('/orders', order, 202);
    accepted.push({ id, customer: name, amount });
    console.log(JSON.stringify({ accepted: accepted.length }));
    const session = await request('/me', { headers }, 200);
    // A visit that failed may have been counted, or not; none that was answered may be forgotten.
    const isRight = session.body.customer === name && session.body.visits > visits;
    if (!isRight) wrong.push({ name, visits, answer: session.body });
    visits = session.body.visits;
    await wait(kPauseMs);
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  if (line === 'stop') isStopping = true;
  else if (line === 'count') console.log(JSON.stringify({ count: accepted.length }));
  else phase = line.split(' ')[1];
}).on('close', () => { isStopping = true; });
await Promise.all(Array.from({ length: +customers }, (_, i) => customer(i)));
console.log(JSON.stringify({ phases, failures, versions, wrong, orders: accepted }));
process.exit();

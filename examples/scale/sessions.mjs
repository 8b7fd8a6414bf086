// Sessions in Redis: any process of any host can answer any request, so the proxy needs no sticky sessions.
import { randomBytes } from 'node:crypto';

const kSeconds = 3600;
const kName = /^[\w-]{1,40}$/;

const keyOf = (id) => `session:${id}`;

function idOf(request) {
  const found = /(?:^|;\s*)sid=([0-9a-f]{32})(?:;|$)/.exec(request.headers.cookie ?? '');
  return found?.[1];
}

// Returns the value of Set-Cookie; null if the name is not acceptable.
export async function startSession(redis, customer) {
  if (typeof customer !== 'string' || !kName.test(customer)) return null;
  const id = randomBytes(16).toString('hex');
  await redis.multi().hset(keyOf(id), { customer, visits: 0 }).expire(keyOf(id), kSeconds).exec();
  return `sid=${id}; HttpOnly; SameSite=Lax; Path=/; Max-Age=${kSeconds}`;
}

// Returns { id, customer }; null without a session.
export async function sessionOf(redis, request) {
  const id = idOf(request);
  const customer = id && await redis.hget(keyOf(id), 'customer');
  return customer ? { id, customer } : null;
}

export async function countVisit(redis, { id }) {
  const [[, visits]] = await redis.multi().hincrby(keyOf(id), 'visits', 1).expire(keyOf(id), kSeconds).exec();
  return visits;
}

// Fastify, Koa and Hono: the same routes, asked by fetch().
import { serve } from '@hono/node-server';
import Fastify from 'fastify';
import { Hono } from 'hono';
import Koa from 'koa';

async function ask(name, port) {
  const base = `http://127.0.0.1:${port}`;
  for (const [path, options] of [
    ['/', {}],
    ['/echo', { method: 'POST', body: '{"a":[1,2]}', headers: { 'content-type': 'application/json' } }],
    ['/echo', { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } }],
    ['/fails', {}],
    ['/nothing', {}],
  ]) {
    const response = await fetch(base + path, options);
    const text = await response.text();
    console.log(name, path, response.status, response.headers.get('content-type'), text.slice(0, 80));
  }
}

const fastify = Fastify();
fastify.addHook('onRequest', async (request, reply) => { reply.header('x-hook', 'ran'); });
fastify.get('/', async () => ({ framework: 'fastify' }));
fastify.post('/echo', { schema: { body: { type: 'object', required: ['a'] } } }, async (request) => request.body);
fastify.get('/fails', async () => { throw new Error('of the route'); });
console.log('injected', (await fastify.inject({ method: 'GET', url: '/' })).json());
await fastify.listen({ port: 0, host: '127.0.0.1' });
await ask('fastify', fastify.server.address().port);
await fastify.close();

const koa = new Koa();
koa.silent = true;
koa.use(async (context, next) => {
  await next();
  context.set('x-after', 'ran');
});
koa.use(async (context) => {
  if (context.path === '/') context.body = { framework: 'koa' };
  if (context.path === '/fails') throw new Error('of the route');
  if (context.path === '/echo') {
    let text = '';
    for await (const chunk of context.req) text += chunk;
    try {
      context.body = JSON.parse(text);
    } catch {
      context.throw(400, 'no JSON');
    }
  }
});
const koaServer = koa.listen(0, '127.0.0.1');
await new Promise((resolve) => koaServer.once('listening', resolve));
await ask('koa', koaServer.address().port);
await new Promise((resolve) => koaServer.close(resolve));

const hono = new Hono();
hono.get('/', (context) => context.json({ framework: 'hono' }));
hono.post('/echo', async (context) => {
  try {
    return context.json(await context.req.json());
  } catch {
    return context.text('no JSON', 400);
  }
});
hono.get('/fails', () => { throw new Error('of the route'); });
hono.onError((error, context) => context.text(error.message, 500));
await new Promise((resolve) => {
  const server = serve({ fetch: hono.fetch, port: 0, hostname: '127.0.0.1' }, async ({ port }) => {
    await ask('hono', port);
    server.close(resolve);
  });
});
console.log('closed');

// needs: redis
// express-session with connect-redis, and passport: a login that another server of the same store knows, too.
import { once } from 'node:events';
import { RedisStore } from 'connect-redis';
import express from 'express';
import session from 'express-session';
import passport from 'passport';
import { Strategy } from 'passport-local';
import { createClient } from 'redis';

const client = createClient({ url: `redis://127.0.0.1:${process.env.TEST_REDIS_PORT}` });
await client.connect();
const users = new Map([[1, { id: 1, name: 'ann', password: 'secret' }]]);
passport.use(new Strategy((name, password, done) => {
  const user = [...users.values()].find((user) => user.name === name);
  done(null, user?.password === password ? user : false, { message: 'wrong' });
}));
passport.serializeUser((user, done) => done(null, user.id));
passport.deserializeUser((id, done) => done(null, users.get(id) ?? false));

async function serve() {
  const app = express();
  app.use(express.urlencoded({ extended: false }));
  app.use(session({ store: new RedisStore({ client, prefix: 'app:' }), secret: 'keyboard', resave: false,
    saveUninitialized: false, cookie: { maxAge: 60_000 } }));
  app.use(passport.initialize(), passport.session());
  const authenticate = passport.authenticate('local', { failureRedirect: '/failed' });
  app.post('/login', authenticate, (request, response) => response.redirect('/me'));
  app.get('/me', (request, response) => {
    request.session.views = (request.session.views ?? 0) + 1;
    response.json({ user: request.user?.name, isIn: request.isAuthenticated(), views: request.session.views });
  });
  app.post('/logout', (request, response, next) => {
    request.logout((error) => error ? next(error) : response.json({ isIn: request.isAuthenticated() }));
  });
  app.post('/destroy', (request, response) =>
    request.session.destroy((error) => response.json({ error: error ?? null })));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

let cookie;
async function ask(server, method, path, body) {
  const response = await fetch(`http://127.0.0.1:${server.address().port}${path}`,
    { method, redirect: 'manual', body: body && new URLSearchParams(body), headers: cookie ? { cookie } : {} });
  const [set] = response.headers.getSetCookie();
  if (set) cookie = set.split(';')[0];
  console.log(method, path, response.status, response.headers.get('location'), set ? 'cookie' : '',
    await response.text());
}

const [one, two] = [await serve(), await serve()];
await ask(one, 'GET', '/me');
await ask(one, 'POST', '/login', { username: 'ann', password: 'no' });
await ask(one, 'POST', '/login', { username: 'ann', password: 'secret' });
await ask(one, 'GET', '/me');
await ask(two, 'GET', '/me');
const keys = await client.keys('app:*');
console.log(keys.length, Object.keys(JSON.parse(await client.get(keys[0]))).sort(), (await client.ttl(keys[0])) > 50);
await ask(two, 'POST', '/logout');
await ask(one, 'GET', '/me');
await ask(one, 'POST', '/destroy');
console.log(await client.keys('app:*'));
await Promise.all([one, two].map((server) => new Promise((resolve) => server.close(resolve))));
await client.close();
console.log('closed');

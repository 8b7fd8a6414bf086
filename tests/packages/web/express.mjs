// Express 5 with compression and sessions: routes, JSON, parameters, static files, errors.
import compression from 'compression';
import express from 'express';
import session from 'express-session';
import { writeFileSync } from 'node:fs';
import request from 'supertest';

writeFileSync('page.txt', 'static text\n');
const app = express();
app.use(compression({ threshold: 100 }));
app.use(session({ secret: 'of the test', resave: false, saveUninitialized: true }));
app.use(express.json());
app.use('/files', express.static('.', { etag: false, lastModified: false }));
app.get('/hello/:name', (req, res) => res.json({ hello: req.params.name, query: req.query }));
app.post('/sum', (req, res) => res.status(201).send(String(req.body.numbers.reduce((a, b) => a + b, 0))));
app.get('/large', (req, res) => res.type('text').send('x'.repeat(5000)));
app.get('/visits', (req, res) => res.send(`visit ${req.session.visits = (req.session.visits ?? 0) + 1}`));
app.get('/fails', async () => { throw new Error('of the route'); });
app.use((req, res) => res.status(404).send(`no ${req.path}`));
app.use((error, req, res, next) => res.status(500).send(error.message));

const server = await new Promise((resolve) => { const made = app.listen(0, '127.0.0.1', () => resolve(made)); });
const agent = request.agent(server);
const show = (name, { status, headers, text }) =>
  console.log(name, status, headers['content-type'], headers['content-encoding'], text.slice(0, 60));
show('json', await agent.get('/hello/you?a=1&b=2'));
show('post', await agent.post('/sum').send({ numbers: [1, 2, 3] }));
show('static', await agent.get('/files/page.txt'));
show('compressed', await agent.get('/large').set('Accept-Encoding', 'gzip'));
show('first', await agent.get('/visits'));
show('second', await agent.get('/visits'));
show('error', await agent.get('/fails'));
show('missing', await agent.get('/nothing'));
show('bad body', await agent.post('/sum').set('Content-Type', 'application/json').send('{'));
await new Promise((resolve) => server.close(resolve));
console.log('closed');

// A session that comes back: a request reads the session when it begins and writes it when it ends. The user logs out
// in between.
const fs = require('node:fs');
const http = require('node:http');
const os = require('node:os');
const path = require('node:path');

const file = path.join(os.tmpdir(), `session-${process.pid}`);
fs.writeFileSync(file, '{"user":"me","views":0}');

const server = http.createServer((request, response) => {
  if (request.url === '/logout') return fs.rm(file, () => response.end('bye'));
  fs.readFile(file, 'utf8', (error, text) => {
    if (error) return response.writeHead(401).end();
    const session = JSON.parse(text);
    session.views++;
    fs.writeFile(file, JSON.stringify(session), () => response.end('page'));
  });
});

let open = 2;
function get(url) {
  http.get({ port: server.address().port, host: '127.0.0.1', path: url, agent: false }, (response) => {
    response.resume().on('end', () => {
      if (--open !== 0) return;
      server.close();
      const isLoggedIn = fs.existsSync(file);
      fs.rmSync(file, { force: true });
      if (isLoggedIn) throw new Error('the user has logged out, and the session exists');
    });
  });
}
server.listen(0, '127.0.0.1', () => {
  get('/page');
  setTimeout(get, 100, '/logout');
});

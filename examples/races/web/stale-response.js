// A stale response: each letter that the user types starts a search, and the page shows the response that comes last.
const http = require('node:http');

const server = http.createServer((request, response) => response.end(`results of ${request.url}`));

let shown;
let open = 2;
function search(text) {
  const { port } = server.address();
  http.get({ port, host: '127.0.0.1', path: `/${text}`, agent: false }, (response) => {
    response.setEncoding('utf8').on('data', (results) => { shown = results; });
    response.on('end', () => {
      if (--open !== 0) return;
      server.close();
      if (shown !== 'results of /ab') throw new Error(`the page shows the ${shown}`);
    });
  });
}
server.listen(0, '127.0.0.1', () => {
  search('a');
  setTimeout(search, 100, 'ab');
});

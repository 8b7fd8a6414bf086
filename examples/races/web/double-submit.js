// Double submit: the form is sent again after 100 ms. The server looks whether the order exists before it adds the
// order, and the first request may still be between the two.
const fs = require('node:fs');
const http = require('node:http');
const os = require('node:os');
const path = require('node:path');

const file = path.join(os.tmpdir(), `orders-${process.pid}`);
fs.writeFileSync(file, '');

const server = http.createServer((request, response) => {
  const order = `${request.url.slice(1)}\n`;
  fs.readFile(file, 'utf8', (error, orders) => {
    if (orders.includes(order)) return response.end('known');
    fs.appendFile(file, order, () => response.end('added'));
  });
});

let open = 2;
function submit() {
  http.get({ port: server.address().port, host: '127.0.0.1', path: '/order-1', agent: false }, (response) => {
    response.resume().on('end', () => {
      if (--open !== 0) return;
      server.close();
      const orders = fs.readFileSync(file, 'utf8');
      fs.rmSync(file);
      if (orders !== 'order-1\n') throw new Error('the order exists twice');
    });
  });
}
server.listen(0, '127.0.0.1', () => {
  submit();
  setTimeout(submit, 100);
});

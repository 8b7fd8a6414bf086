'use strict';
// The diagnostics channels and performance entries of HTTP, and where they are in the order of events.
const http = require('http');
const channels = require('diagnostics_channel');
const { PerformanceObserver } = require('perf_hooks');

const log = console.log;
for (const name of ['client.request.created', 'client.request.start', 'client.request.error', 'client.response.finish',
  'server.request.start', 'server.response.created', 'server.response.finish']) {
  channels.subscribe(`http.${name}`, (message) => {
    const shown = Object.entries(message).map(([key, value]) => `${key} ${value.constructor.name}`).join(', ');
    log(name, shown, message.error?.code ?? '');
  });
}
const entries = [];
const observer = new PerformanceObserver((list) => entries.push(...list.getEntries()));
observer.observe({ entryTypes: ['http'] });

const server = http.createServer((request, response) => {
  log('request');
  response.on('finish', () => log('response finish'));
  response.setHeader('X-A', 'b');
  response.end('x');
});
server.listen(0, '127.0.0.1', () => {
  const request = http.get({
    port: server.address().port, host: '127.0.0.1', agent: false, path: '/p?q', headers: { 'X-C': 'd' },
  }, (response) => {
    log('response');
    response.resume();
    response.on('end', () => log('end'));
  });
  request.on('finish', () => log('request finish'));
  request.on('close', () => {
    log('close');
    const { port } = server.address();
    server.close(() => {
      http.get({ port, host: '127.0.0.1', agent: false }).on('error', (error) => log('error', error.code)).on('close', () => {
        setTimeout(() => {
          for (const { name, entryType, duration, startTime, detail } of entries) {
            if (detail.req.headers.host) detail.req.headers.host = 'HOST';
            if (detail.res) delete detail.res.headers.date;
            detail.req.url = detail.req.url.replace(/:\d+/, ':PORT');
            log(name, entryType, duration >= 0, startTime > 0, JSON.stringify(detail));
          }
          observer.disconnect();
        }, 50);
      });
    });
  });
});

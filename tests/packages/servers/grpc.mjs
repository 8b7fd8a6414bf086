// gRPC: all four kinds of calls, metadata, errors, deadlines, cancellation and TLS, with @grpc/grpc-js on both sides.
import { readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import grpc from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

writeFileSync('sums.proto', `syntax = "proto3";
package sums;
message Number { int64 value = 1; bytes data = 2; }
service Sums {
  rpc Double (Number) returns (Number);
  rpc Count (Number) returns (stream Number);
  rpc Sum (stream Number) returns (Number);
  rpc Echo (stream Number) returns (stream Number);
}`);
const { sums } = grpc.loadPackageDefinition(loadSync('sums.proto', { longs: Number }));
let seen;
const server = new grpc.Server({ 'grpc.max_receive_message_length': 8 << 20 });
server.addService(sums.Sums.service, {
  double(call, done) {
    if (call.request.value < 0) return done({ code: grpc.status.INVALID_ARGUMENT, details: 'negative' });
    if (call.request.value === 99) return;
    const trailers = new grpc.Metadata();
    trailers.set('x-trailer', `${call.metadata.get('x-name')}`);
    done(null, { value: call.request.value * 2, data: call.request.data }, trailers);
  },
  count(call) {
    for (let value = 1; value <= call.request.value; value++) call.write({ value });
    call.end();
  },
  sum(call, done) {
    let value = 0;
    call.on('data', (number) => { value += number.value; });
    call.on('end', () => done(null, { value }));
  },
  echo(call) {
    call.on('data', (number) => call.write(number));
    call.on('end', () => call.end());
    call.on('cancelled', () => seen.resolve('the server sees the cancellation'));
  },
});
const read = (name) => readFileSync(`${process.env.TEST_KEYS}/${name}.pem`);
const bind = (credentials) => new Promise((resolve, reject) =>
  server.bindAsync('127.0.0.1:0', credentials, (error, port) => error ? reject(error) : resolve(port)));
const plain = await bind(grpc.ServerCredentials.createInsecure());
const secure = await bind(grpc.ServerCredentials.createSsl(null,
  [{ private_key: read('server-key'), cert_chain: read('server') }]));

async function use(name, client) {
  const unary = (request, ...rest) => new Promise((resolve) => {
    const call = client.double(request, ...rest, (error, response) => resolve([error, response, call]));
  });
  const metadata = new grpc.Metadata();
  metadata.set('x-name', 'ann');
  console.log(name, await new Promise((resolve) => {
    const result = [];
    const call = client.double({ value: 21 }, metadata, (error, response) => { result.push(response.value); });
    call.on('status', (status) => resolve([...result, status.code, status.metadata.get('x-trailer')]));
  }));
  const data = Buffer.alloc(3_000_000, 7);
  console.log(name, (await unary({ value: 1, data }))[1].data.equals(data));
  const [refused] = await unary({ value: -1 });
  console.log(name, refused.code, refused.details);
  const [late] = await unary({ value: 99 }, { deadline: Date.now() + 100 });
  console.log(name, late.code, late.details.split(' after ')[0]);
  const counted = [];
  for await (const { value } of client.count({ value: 1000 })) counted.push(value);
  console.log(name, counted.length, counted.at(-1));
  console.log(name, await new Promise((resolve) => {
    const call = client.sum((error, response) => resolve(response.value));
    for (let value = 0; value < 100; value++) call.write({ value });
    call.end();
  }));
  const echo = client.echo();
  echo.write({ value: 5 });
  console.log(name, (await once(echo, 'data'))[0].value);
  seen = Promise.withResolvers();
  echo.cancel();
  console.log(name, (await once(echo, 'error'))[0].code, await seen.promise);
  const many = await Promise.all(Array.from({ length: 50 }, (_, value) => unary({ value })));
  console.log(name, many.map(([, { value }]) => value).join());
  client.close();
}
await use('plain', new sums.Sums(`127.0.0.1:${plain}`, grpc.credentials.createInsecure()));
await use('tls', new sums.Sums(`localhost:${secure}`, grpc.credentials.createSsl(read('ca'))));
const refused = new sums.Sums(`localhost:${secure}`, grpc.credentials.createSsl());
console.log(await new Promise((resolve) => refused.double({ value: 1 }, { deadline: Date.now() + 5000 },
  (error) => resolve([error.code, /certificate/.test(error.details)]))));
refused.close();
await new Promise((resolve, reject) => server.tryShutdown((error) => error ? reject(error) : resolve()));
console.log('closed');

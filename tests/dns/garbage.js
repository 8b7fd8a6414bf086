'use strict';
// Unreferenced resolvers are collected, but not before their answers came; random messages are parsed to an end.
const dns = require('node:dns');
const { BadMessage, readAnswers } = require('internal/dns/message');
const server = process.argv[2];

async function drop(count) {
  const answers = [];
  for (let i = 0; i < count; i++) {
    const resolver = new dns.Resolver();
    resolver.setServers([server]);
    if (i % 10 === 0) {
      answers.push(new Promise((resolve) => resolver.resolve4('case.test', (error, found) => resolve(found?.[0]))));
    }
    if (i % 100 === 99) {
      globalThis.gc();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  return new Set(await Promise.all(answers));
}

// A message with records of random types and content, then bytes of it changed at random.
function noise(seed) {
  let state = seed;
  const random = (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % below;
  };
  const bytes = [0, 1, 0x81, 0x80, 0, 1, 0, 2, 0, 0, 0, 0, 1, 97, 0, 0, 1, 0, 1];
  for (let i = 0; i < 2; i++) {
    const type = [1, 2, 5, 6, 12, 15, 16, 28, 33, 35, 257, 999][random(12)];
    const data = Array.from({ length: random(40) }, () => random(3) === 0 ? 0xC0 : random(20));
    bytes.push(0xC0, 12, type >> 8, type & 255, 0, 1, 0, 0, 0, 60, 0, data.length, ...data);
  }
  for (let i = random(6); i > 0; i--) bytes[random(bytes.length)] = random(256);
  return new Uint8Array(bytes.slice(0, random(4) === 0 ? random(bytes.length) : bytes.length));
}

async function main() {
  dns.setServers([server]);
  const attempt = (promise) => promise.catch((error) => error.code);
  // A malformed message fails a try of the query, even if a valid one comes after it.
  console.log(await attempt(dns.promises.resolve4('garbage.test')));
  console.log(await attempt(dns.promises.resolveCname('shell.test')),
    await attempt(dns.promises.resolve4('case.test\0.test')));
  console.log(await drop(300));
  await drop(1500); // Until the heap has reached its final size.
  const before = process.memoryUsage.rss();
  await drop(1500);
  // A sanitizer keeps freed memory for a while, and finds leaks by itself.
  console.log(process.env.ASAN_OPTIONS !== undefined || (process.memoryUsage.rss() - before) / 1500 < 3000);
  let read = 0;
  for (let seed = 1; seed <= 20000; seed++) {
    try {
      readAnswers(noise(seed).buffer);
      read++;
    } catch (error) {
      if (!(error instanceof BadMessage)) throw error;
    }
  }
  console.log(read > 0 && read < 20000);
}
main();

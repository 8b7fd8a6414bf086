'use strict';
// Workers that are ended in all kinds of states, with ports and messages on their way: all of them end, and so do we.
const { Worker, MessageChannel } = require('worker_threads');
let seed = 7;
function random(n) {
  seed = (seed * 1103515245 + 12345) & 0x7fffffff;
  return (seed >> 8) % n;
}
const programs = [
  '', 'for (;;);', 'setInterval(() => {}, 1)', 'process.exit(3)', 'throw new Error("x")', 'Promise.reject(1)',
  'const { parentPort } = require("worker_threads"); for (let i = 0; i < 1e5; i++) parentPort.postMessage({ i, s: "text" })',
  'const { parentPort } = require("worker_threads"); parentPort.on("message", (m) => parentPort.postMessage(m))',
  'const { Worker } = require("worker_threads"); for (let i = 0; i < 2; i++) new Worker("setInterval(() => {}, 1)", { eval: true })',
  'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)',
  'for (let i = 0; i < 1000; i++) console.log("x".repeat(100))',
  'const { parentPort } = require("worker_threads"); parentPort.once("message", ({ port }) => { port.on("message", (m) => port.postMessage(m)); port.postMessage("hi"); })',
  'const b = new BroadcastChannel("all"); b.onmessage = () => {}; setInterval(() => b.postMessage(1), 1)',
  '(async () => { for (;;) await null })()',
];
let ended = 0;
const ends = [];
for (let i = 0; i < 50; i++) {
  const worker = new Worker(programs[i % programs.length], { eval: true, stdout: true, stderr: true });
  worker.on('error', () => {});
  worker.on('message', () => {});
  if (random(2)) worker.stdout.resume();
  ends.push(new Promise((resolve) => worker.on('exit', () => { ended++; resolve(); })));
  const { port1, port2 } = new MessageChannel();
  port1.on('message', (m) => { if (random(20)) port1.postMessage(m); });
  for (let k = random(50); k > 0; k--) port1.postMessage(k);
  if (random(2)) worker.postMessage({ port: port2 }, [port2]);
  if (random(3) === 0) port1.close();
  port1.unref();
  const how = random(4);
  if (how === 0) worker.terminate();
  else if (how === 1) worker.on('online', () => worker.terminate());
  else setTimeout(() => worker.terminate(), random(60));
}
Promise.all(ends).then(() => console.log('ended', ended));

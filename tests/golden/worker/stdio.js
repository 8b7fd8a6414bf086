'use strict';
// Standard streams: piped to ours unless asked for; stdin if asked for.
const { Worker } = require('worker_threads');
const { once } = require('events');

function collect(stream) {
  let text = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk) => { text += chunk; });
  return once(stream, 'end').then(() => text);
}

(async () => {
  const plain = new Worker('console.log("to stdout"); console.error("to stderr"); process.stdout.write("no newline"); process.stdout.write(Buffer.from("\\n"));', { eval: true });
  await once(plain, 'exit');

  const kept = new Worker('console.log("kept"); console.error("kept, too"); console.log("é€😀")', { eval: true, stdout: true, stderr: true });
  const [out, err] = await Promise.all([collect(kept.stdout), collect(kept.stderr), once(kept, 'exit')]);
  console.log(JSON.stringify(out), JSON.stringify(err));

  // Both: who listens gets a copy.
  const both = new Worker('console.log("both")', { eval: true });
  const copy = await collect(both.stdout);
  console.log('copy', JSON.stringify(copy));

  const echo = new Worker('process.stdin.on("data", (c) => process.stdout.write(`<${c}>`)); process.stdin.on("end", () => console.log("end"))', { eval: true, stdin: true, stdout: true });
  echo.stdin.write('one');
  echo.stdin.write('two');
  echo.stdin.end('three');
  console.log('echo', await collect(echo.stdout));

  const without = new Worker('process.stdin.on("end", () => console.log("at its end at once")).resume()', { eval: true });
  console.log(without.stdin);
  await once(without, 'exit');

  // Nothing is lost when a worker ends in the middle.
  const exits = new Worker('for (let i = 0; i < 2000; i++) console.log(i); process.exit(3)', { eval: true, stdout: true });
  const lines = collect(exits.stdout);
  const [code] = await once(exits, 'exit');
  console.log(code, (await lines).split('\n').length);

  const much = new Worker('process.stdout.write("x".repeat(1e6), () => process.stdout.write("y".repeat(1e6)))', { eval: true, stdout: true });
  console.log((await collect(much.stdout)).length);

  const throws = new Worker('console.log("before"); throw new Error("x")', { eval: true, stdout: true });
  throws.on('error', (e) => console.log('error', e.message));
  console.log(JSON.stringify(await collect(throws.stdout)));

  const types = new Worker('console.log(process.stdout.isTTY, process.stdout.fd, process.stdout.writable, process.stdin.isTTY, process.stdin.readable)', { eval: true });
  await once(types, 'exit');
})();

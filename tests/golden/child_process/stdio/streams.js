'use strict';
// The streams of a child: much data, early ends, no reader, write errors.
const { spawn } = require('child_process');

const closed = (child) => new Promise((resolve) => child.on('close', (...args) => resolve(args)));

(async () => {
  // Back-pressure both ways.
  const echo = spawn('cat');
  let size = 0;
  echo.stdout.on('data', (chunk) => { size += chunk.length; });
  const block = Buffer.alloc(100000, 'x');
  let full = false;
  for (let i = 0; i < 50; i++) {
    if (!echo.stdin.write(block)) {
      full = true;
      await new Promise((resolve) => echo.stdin.once('drain', resolve));
    }
  }
  echo.stdin.end();
  console.log(await closed(echo), size, full);

  // Without a reader 'close' is still emitted.
  const unread = spawn('sh', ['-c', 'head -c 100000 /dev/zero; echo x >&2']);
  console.log('unread', await closed(unread));

  // Paused until the end.
  const paused = spawn('echo', ['held back']);
  paused.stdout.pause();
  paused.on('exit', () => {
    console.log('exit first');
    paused.stdout.on('data', (chunk) => console.log(chunk.toString()));
  });
  console.log('paused', await closed(paused));

  // A child that does not read.
  const deaf = spawn('true');
  deaf.stdin.on('error', (error) => console.log('stdin', error.code, error.syscall, error.message));
  // The order of the two is not specified.
  const ends = [new Promise((resolve) => deaf.stdin.on('close', resolve)), closed(deaf)];
  await new Promise((resolve) => deaf.stdout.on('end', resolve));
  deaf.stdin.write(Buffer.alloc(1000000));
  console.log('stdin close, deaf', await Promise.all(ends));

  // A child that closes its output and lives on.
  const silent = spawn('sh', ['-c', 'exec >&- 2>&-; read line; exit 5']);
  silent.stdout.on('end', () => {
    console.log('end', silent.exitCode);
    silent.stdin.end();
  });
  silent.stdout.resume();
  console.log('silent', await closed(silent));

  // A grandchild that holds the pipe: 'exit' comes at once, 'close' with the end of the pipe. It goes on when its input
  // ends, which is when its parent has.
  const parent = spawn('sh', ['-c', 'exec 3<&0; (read line <&3; echo late) & echo early']);
  const order = [];
  parent.stdout.on('data', (chunk) => order.push(chunk.toString().trim()));
  parent.on('exit', () => order.push('exit'));
  parent.on('close', () => order.push('close'));
  await closed(parent);
  console.log(order);

  // Ends of streams that we close ourselves.
  const broken = spawn('sh', ['-c', 'trap "" PIPE; read line; echo x 2>/dev/null || exit 9']);
  broken.stdout.destroy().on('close', () => broken.stdin.end());
  console.log('broken', await closed(broken), broken.stdout.destroyed);

  // Async iteration and pipe().
  const lines = [];
  for await (const chunk of spawn('printf', ['a\\nb\\n']).stdout) lines.push(chunk.toString());
  console.log(lines.join(''));
  const source = spawn('printf', ['piped']);
  const sink = spawn('cat');
  source.stdout.pipe(sink.stdin);
  sink.stdout.on('data', (chunk) => console.log(chunk.toString()));
  await closed(sink);
})();

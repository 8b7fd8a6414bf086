'use strict';
// A stdin that is a file has no 'close'; one that was closed by the parent is as good as /dev/null.
const { spawnSync } = require('child_process');

if (process.argv[2] === 'child') {
  const { stdin } = process;
  console.log(stdin.constructor.name, stdin.fd, stdin.bytesRead);
  for (const event of ['data', 'end', 'close', 'error']) stdin.on(event, () => console.log(event));
  process.on('exit', () => console.log('exit', stdin.destroyed, stdin.readableEnded));
} else {
  const command = `'${process.execPath}' '${__filename}' child`;
  for (const redirection of ['< /dev/null', '<&-', `< '${__filename}'`]) {
    console.log(redirection.slice(0, 3));
    console.log(spawnSync('sh', ['-c', `${command} ${redirection}`], { encoding: 'utf8' }).stdout);
  }
}

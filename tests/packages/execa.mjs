import { execa, execaSync, $ } from 'execa';
import spawn from 'cross-spawn';

const { stdout } = await execa('echo', ['hello', 'there']);
console.log(stdout);
console.log((await $`printf ${'a b'}`).stdout, execaSync('cat', { input: 'from input' }).stdout);
const failed = await execa('sh', ['-c', 'echo out; echo err >&2; exit 3'], { reject: false });
console.log(failed.exitCode, failed.stdout, failed.stderr, failed.failed);
await execa('no-such-program').catch((error) => console.log(error.code, error.shortMessage.split('\n')[0]));
const slow = await execa('sleep', ['30'], { timeout: 50, reject: false });
console.log(slow.timedOut, slow.signal);
const controller = new AbortController();
const cancelled = execa('sleep', ['30'], { cancelSignal: controller.signal, reject: false });
controller.abort();
console.log((await cancelled).isCanceled);
for await (const line of execa('printf', ['1\\n2\\n3\\n'])) console.log('line', line);
console.log((await execa('printf', ['a\\nb']).pipe('tr', ['ab', 'xy'])).stdout);
console.log((await execa(process.execPath, ['-e', 'process.stdin.pipe(process.stdout)'],
  { input: 'through a child' })).stdout);
const child = spawn('sh', ['-c', 'exit 5']);
child.on('close', (code) => console.log('cross-spawn', code, spawn.sync('echo', ['sync']).stdout.toString().trim()));

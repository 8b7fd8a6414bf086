'use strict';
const { Command, InvalidArgumentError, Option } = require('commander');

function program() {
  const command = new Command('tool');
  command.exitOverride().configureOutput({ writeOut: (text) => process.stdout.write(text),
    writeErr: (text) => process.stdout.write(text) });
  command.version('1.2.3').option('-d, --debug',
    'say more').addOption(new Option('-l, --level <n>', 'how much').default(1).argParser((text) => {
    if (Number.isNaN(+text)) throw new InvalidArgumentError('Not a number.');
    return +text;
  }));
  command.command('copy <from> [to...]').description('copy things').option('--no-clobber').action((from, to, options) =>
    console.log('copy', from, to, options));
  command.command('wait').action(async () => {
    await new Promise((resolve) =>
      setTimeout(resolve, 2)); console.log('waited');
  });
  return command;
}
(async () => {
  for (const args of [['copy', 'a', 'b', 'c', '--no-clobber'], ['-d', '--level', '4', 'copy', 'x'], ['wait'],
    ['--level', 'x', 'wait'], ['cpoy'], ['--help'], ['--version'], ['copy']]) {
    try {
      await program().parseAsync(args, { from: 'user' });
    } catch (error) {
      console.log(args.join(' '), '->', error.code, error.exitCode);
    }
  }
})();

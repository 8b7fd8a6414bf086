import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';

const parse = (...args) => yargs(args).scriptName('tool').exitProcess(false).locale('en')
  .command('serve [port]', 'start', (y) => y.positional('port', { type: 'number', default: 5000 }),
    (argv) => console.log('serve', argv.port, argv.verbose))
  .option('verbose', { alias: 'v', type: 'boolean' }).option('size', { choices: ['s', 'm'] }).strict()
  .fail((message) => console.log('fail:', message)).parse();
await parse('serve', '81', '-v');
await parse('serve', '--size', 'xl');
await parse('srve');
console.log(hideBin(['node', 'x', 'a', 'b']));
console.log((await yargs(['--help']).scriptName('tool').locale('en').option('a',
  { describe: 'an option' }).exitProcess(false).getHelp()));

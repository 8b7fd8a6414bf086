'use strict';
// rondo trace, rondo explore and other subcommands: runs internal/commands/NAME.

const kNotWritten = 1;

// Ends the command if its report cannot be written, with an error message unless the reader has exited (EPIPE).
function endIfNotWritable(command) {
  const end = (name) => (error) => {
    if (error.code !== 'EPIPE' && name !== 'stderr') {
      process.stderr.write(`rondo ${command}: cannot write to ${name}: ${error.message}\n`);
    }
    process.exit(kNotWritten);
  };
  process.stdout.on('error', end('stdout'));
  process.stderr.on('error', end('stderr'));
}

module.exports = function main() {
  const { 1: command } = process.argv;
  const { run } = require(`internal/commands/${command}`);
  endIfNotWritable(command);
  run(process.argv.slice(2), process.execArgv);
};

'use strict';
// rondo trace, rondo explore and other commands: our own programs, by name.

const kNotWritten = 1;

// A command whose report cannot be written says so in a line, where it still can. A reader that has gone wants no line.
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

'use strict';
// rondo trace, rondo explore and their kin: programs of our own, by name.

module.exports = function main() {
  const { run } = require(`internal/commands/${process.argv[1]}`);
  run(process.argv.slice(2), process.execArgv);
};

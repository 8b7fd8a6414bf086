'use strict';
// The start of a worker. Its program arrives as the first message, and so runs in the poll phase, like any other
// callback of a message.

module.exports = function main() {
  require('internal/worker/thread').start();
};

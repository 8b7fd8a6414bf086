'use strict';
// The start of a worker. Its program comes as the first message, and so runs in poll, as any other callback of a
// message.

module.exports = function main() {
  require('internal/worker/thread').start();
};

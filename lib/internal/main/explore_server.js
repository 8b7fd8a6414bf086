'use strict';
// rondo --explore-server=FOLDER script.js: the process that `rondo explore` starts. Descriptor 3 is its channel.
const kChannel = 3;

// Modules that programs often use, loaded once before the first run instead of in each run.
const kLikely = [
  'assert', 'child_process', 'crypto', 'dns', 'events', 'fs', 'fs/promises', 'net', 'os', 'path', 'readline', 'stream',
  'stream/promises', 'string_decoder', 'timers', 'timers/promises', 'url', 'util',
];

module.exports = function main() {
  const { getFlag } = require('internal/options');
  for (let i = 0; i < kLikely.length; i++) require(kLikely[i]);
  internalBinding('explore').serve(kChannel, getFlag('explore-server'));
  // From here on this is the process of a single run.
  process.pid = internalBinding('process').info().pid;
  require('internal/process/pre_execution').loadPreloads();
  require(`internal/main/${getFlag('explored-mode')}`)();
};

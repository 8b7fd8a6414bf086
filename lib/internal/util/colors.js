'use strict';

// Decides whether output for people is coloured, and has the colours.

const { ObjectKeys } = primordials;

// process.env is a proxy, which is too slow to read for every line.
const { envGet } = internalBinding('process');

// True for the values of FORCE_COLOR that enable colours; all others disable them.
function isForced(value) {
  return value === '' || value === '1' || value === 'true' || value === '2' || value === '3';
}

const sequences = {
  __proto__: null,
  blue: '\u001b[34m',
  green: '\u001b[32m',
  white: '\u001b[39m',
  yellow: '\u001b[33m',
  red: '\u001b[31m',
  gray: '\u001b[90m',
  clear: '\u001bc',
  reset: '\u001b[0m',
};

module.exports = {
  blue: '',
  green: '',
  white: '',
  yellow: '',
  red: '',
  gray: '',
  clear: '',
  reset: '',
  hasColors: false,

  shouldColorize(stream) {
    const forced = envGet('FORCE_COLOR');
    if (forced !== undefined) return isForced(forced);
    if (!stream?.isTTY) return stream?.isTTY;
    return typeof stream.getColorDepth !== 'function' || stream.getColorDepth() > 2;
  },

  // Sets the sequences above for stderr, where all of our own messages go.
  refresh() {
    const hasColors = module.exports.shouldColorize(process.stderr);
    const names = ObjectKeys(sequences);
    for (let i = 0; i < names.length; i++) module.exports[names[i]] = hasColors ? sequences[names[i]] : '';
    module.exports.hasColors = hasColors;
  },
};

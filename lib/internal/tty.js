'use strict';
// How many colours a terminal shows, by the environment.
const { RegExpPrototypeExec, StringPrototypeToLowerCase } = primordials;
const { validateInteger } = require('internal/validators');

const manyColours = /^(?:truecolor|24bit)$/;
const terms256 = /(?:^|-)256(?:color)?$|^xterm-kitty$/;
const terms16 = /^(?:ansi|color|linux|rxvt|screen|xterm|vt1\d0|vt220|cygwin|konsole|tmux|dtterm|eterm|kterm|putty|mosh|st)/;

function getColorDepth(env = process.env) {
  const force = env.FORCE_COLOR;
  if (force !== undefined) {
    switch (force) {
      case '': case '1': case 'true': return 4;
      case '2': return 8;
      case '3': return 24;
      default: return 1;
    }
  }
  if (env.NODE_DISABLE_COLORS || env.NO_COLOR || env.TERM === 'dumb') return 1;
  if (env.COLORTERM && RegExpPrototypeExec(manyColours, env.COLORTERM) !== null) return 24;
  if (env.CI) {
    if (env.GITHUB_ACTIONS || env.GITEA_ACTIONS) return 24;
    if (env.APPVEYOR || env.BUILDKITE || env.CIRCLECI || env.DRONE || env.GITLAB_CI || env.TRAVIS) return 8;
    return 1;
  }
  if (env.TMUX) return 24;
  const term = env.TERM && StringPrototypeToLowerCase(env.TERM);
  if (term) {
    if (RegExpPrototypeExec(terms256, term) !== null) return 8;
    if (RegExpPrototypeExec(terms16, term) !== null) return 4;
  }
  return env.COLORTERM ? 4 : 1;
}

function hasColors(stream, count, env) {
  if (env === undefined && (count === undefined || (typeof count === 'object' && count !== null))) {
    env = count;
    count = 16;
  } else {
    validateInteger(count, 'count', 2);
  }
  return count <= 2 ** stream.getColorDepth(env);
}

module.exports = { getColorDepth, hasColors };

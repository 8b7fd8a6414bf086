'use strict';
// The colour depth of a terminal in bits, derived from the environment; 1 means no colours.
const {
  ArrayPrototypeJoin,
  ArrayPrototypePush,
  ObjectHasOwn,
  RegExpPrototypeExec,
  SafeArrayIterator,
  StringPrototypeToLowerCase,
} = primordials;
const { validateInteger } = require('internal/validators');

const kNone = 1;
const k16 = 4;
const k256 = 8;
const kMillions = 24;

const depthOfTerm = {
  '__proto__': null,
  'cons25': k16,
  'console': k16,
  'cygwin': k16,
  'dtterm': k16,
  'eterm': k16,
  'gnome': k16,
  'hurd': k16,
  'jfbterm': k16,
  'konsole': k16,
  'kterm': k16,
  'mlterm': k16,
  'mosh': kMillions,
  'putty': k16,
  'rxvt-unicode-24bit': kMillions,
  'st': k16,
  'terminator': kMillions,
  'xterm-kitty': kMillions,
};
const colourfulTerm = /ansi|color|linux|direct|^con\d*x\d|^rxvt|^screen|^vt100|^vt220|^xterm/;

// CI services that show coloured output.
const services = [
  ['APPVEYOR', k256], ['BUILDKITE', k256], ['CIRCLECI', kMillions], ['DRONE', k256], ['GITEA_ACTIONS', kMillions],
  ['GITHUB_ACTIONS', kMillions], ['GITLAB_CI', k256], ['TRAVIS', k256],
];
const colourfulTeamcity = /^(?:9\.0*[1-9]\d*\.|\d{2,}\.)/;
const oldITerm = /^[0-2]\./;

let hasWarned = false;

function isSet(value) {
  return value !== undefined && value !== '';
}

// Warns if environment variables both force and disable colours.
function warnOfContradiction(env) {
  if (hasWarned) return;
  const ignored = [];
  for (const name of new SafeArrayIterator(['NODE_DISABLE_COLORS', 'NO_COLOR'])) {
    if (isSet(env[name])) ArrayPrototypePush(ignored, `'${name}'`);
  }
  if (ignored.length === 0) return;
  hasWarned = true;
  const names = ArrayPrototypeJoin(ignored, ' and ');
  process.emitWarning(`The ${names} env is ignored due to the 'FORCE_COLOR' env being set.`, 'Warning');
}

function forcedDepth(force) {
  switch (force) {
    case '': case '1': case 'true': return k16;
    case '2': return k256;
    case '3': return kMillions;
    default: return kNone;
  }
}

function serviceDepth(env) {
  for (let i = 0; i < services.length; i++) {
    if (ObjectHasOwn(env, services[i][0])) return services[i][1];
  }
  return env.CI_NAME === 'codeship' ? k256 : kNone;
}

function programDepth(env) {
  switch (env.TERM_PROGRAM) {
    case 'iTerm.app': {
      const version = env.TERM_PROGRAM_VERSION;
      return !version || RegExpPrototypeExec(oldITerm, version) !== null ? k256 : kMillions;
    }
    case 'HyperTerm':
    case 'MacTerm':
      return kMillions;
    case 'Apple_Terminal':
      return k256;
    default:
      return undefined;
  }
}

function getColorDepth(env = process.env) {
  if (env.FORCE_COLOR !== undefined) {
    const depth = forcedDepth(env.FORCE_COLOR);
    if (depth !== kNone) warnOfContradiction(env);
    return depth;
  }
  if (isSet(env.NODE_DISABLE_COLORS) || isSet(env.NO_COLOR) || env.TERM === 'dumb') return kNone;
  if (env.TMUX) return kMillions;
  if (ObjectHasOwn(env, 'TF_BUILD') && ObjectHasOwn(env, 'AGENT_NAME')) return k16;
  if (ObjectHasOwn(env, 'CI')) return serviceDepth(env);
  if ('TEAMCITY_VERSION' in env) {
    return RegExpPrototypeExec(colourfulTeamcity, env.TEAMCITY_VERSION) !== null ? k16 : kNone;
  }
  const byProgram = programDepth(env);
  if (byProgram !== undefined) return byProgram;
  if (env.COLORTERM === 'truecolor' || env.COLORTERM === '24bit') return kMillions;
  if (env.TERM) {
    if (RegExpPrototypeExec(/truecolor/, env.TERM) !== null) return kMillions;
    if (RegExpPrototypeExec(/^xterm-256/, env.TERM) !== null) return k256;
    const term = StringPrototypeToLowerCase(env.TERM);
    if (depthOfTerm[term] !== undefined) return depthOfTerm[term];
    if (RegExpPrototypeExec(colourfulTerm, term) !== null) return k16;
  }
  return env.COLORTERM ? k16 : kNone;
}

// tty.WriteStream.prototype.hasColors().
function hasColors(count, env) {
  if (env === undefined && (count === undefined || (typeof count === 'object' && count !== null))) {
    env = count;
    count = 16;
  } else {
    validateInteger(count, 'count', 2);
  }
  return count <= 2 ** this.getColorDepth(env);
}

module.exports = { getColorDepth, hasColors };

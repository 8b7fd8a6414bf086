// Mistakes in JavaScript: ./dev lint. The layout is in format.config.mjs.
import { everything, golden, languages, plainTraceModules } from './files.mjs';
import { globals, js } from './packages.mjs';
import { rondo } from './rules/index.mjs';

const lib = { files: ['lib/**/*.js'], ignores: ['lib/**/*.test.js'] };
// Commands run in a process or context without user code.
const commands = ['lib/internal/{commands,explore,trace}/**'];
const plain = plainTraceModules.map((name) => `lib/internal/trace/${name}.js`);

const withoutGlobals = Object.fromEntries(Object.keys(globals.nodeBuiltin).map((name) => [name, 'off']));

const mistakes = {
  ...js.configs.recommended.rules,
  'array-callback-return': 'error',
  'block-scoped-var': 'error',
  'default-case-last': 'error',
  'eqeqeq': ['error', 'always', { null: 'ignore' }],
  'grouped-accessor-pairs': 'error',
  'no-array-constructor': 'off', // new Array(n) is how lib reserves elements.
  'no-caller': 'error',
  'no-control-regex': 'off', // Much of the code handles terminals and escape sequences.
  'no-duplicate-imports': 'error',
  'no-empty': ['error', { allowEmptyCatch: true }],
  'no-eval': 'error',
  'no-extend-native': 'error',
  'no-extra-bind': 'error',
  'no-implied-eval': 'error',
  'no-iterator': 'error',
  'no-lonely-if': 'error',
  'no-new-func': 'error',
  'no-new-wrappers': 'error',
  'no-octal-escape': 'error',
  'no-proto': 'error',
  'no-self-compare': 'error',
  'no-sequences': 'error',
  'no-shadow-restricted-names': ['error', { reportGlobalThis: false }], // primordials has a globalThis.
  'no-template-curly-in-string': 'error',
  'no-throw-literal': 'error',
  'no-undef-init': 'error',
  'no-unneeded-ternary': 'error',
  'no-unreachable-loop': 'error',
  'no-unused-expressions': 'error',
  // Parameters are part of a signature: those of an override, or of a function whose length is Node's.
  'no-unused-vars': ['error', { args: 'none', caughtErrors: 'all', ignoreRestSiblings: true }],
  'no-use-before-define': ['error', { functions: false, classes: false, variables: false }],
  'no-useless-call': 'error',
  'no-useless-computed-key': 'error',
  'no-useless-concat': 'error',
  'no-useless-rename': 'error',
  'no-useless-return': 'error',
  'no-var': 'error',
  'object-shorthand': ['error', 'properties'],
  'one-var': ['error', 'never'],
  'operator-assignment': 'error',
  'prefer-const': ['error', { destructuring: 'all' }],
  'prefer-numeric-literals': 'error',
  'prefer-object-has-own': 'error',
  'prefer-object-spread': 'error',
  'prefer-promise-reject-errors': 'error',
  'prefer-regex-literals': 'error',
  'prefer-spread': 'error',
  'prefer-template': 'error',
  'symbol-description': 'error',
  'yoda': 'error',
};

export default [
  ...languages,
  {
    files: everything,
    ignores: golden,
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: mistakes,
  },
  {
    files: golden,
    // Golden programs are unusual on purpose: report only code that is always a mistake.
    rules: {
      'for-direction': 'error',
      'no-const-assign': 'error',
      'no-dupe-args': 'error',
      'no-dupe-class-members': 'error',
      'no-dupe-else-if': 'error',
      'no-dupe-keys': 'error',
      'no-duplicate-case': 'error',
      'no-func-assign': 'error',
      'no-redeclare': ['error', { builtinGlobals: false }],
      'no-self-assign': 'error',
      'no-unsafe-negation': 'error',
      'use-isnan': 'error',
      'valid-typeof': 'error',
    },
  },
  {
    // The beginning of generated programs, which use the names that it declares.
    files: ['tests/order/prologue.js'],
    languageOptions: { globals: { IDLE: 'readonly', UNIT: 'readonly' } },
    rules: { 'no-unused-vars': 'off', 'prefer-template': 'off' },
  },
  {
    // Follows prologue.js in some of them, and uses its names, too.
    files: ['tests/order/prologue_web.js'],
    rules: { 'no-undef': 'off', 'no-unused-vars': 'off' },
  },
  {
    // Samples of every kind of value.
    files: ['**/warm_up.js'],
    rules: { 'no-new-wrappers': 'off', 'no-sparse-arrays': 'off' },
  },
  {
    files: ['tests/soak/load.js'],
    languageOptions: { globals: { gc: 'readonly' } },
  },
  {
    files: ['tools/eslint/rules/primordials.mjs'],
    rules: { 'no-new-func': 'off' }, // Runs lib's own primordials file to get the list of names.
  },
  {
    files: lib.files,
    ignores: [...lib.ignores, ...commands],
    // User code may replace globals, so lib requires the modules instead.
    languageOptions: { globals: withoutGlobals },
  },
  {
    files: lib.files,
    ignores: [...lib.ignores, ...plain],
    languageOptions: {
      globals: { primordials: 'readonly', internalBinding: 'readonly', process: 'readonly' },
    },
  },
  {
    ...lib,
    plugins: { rondo },
    rules: { 'rondo/require': 'error', 'strict': ['error', 'global'] },
  },
  {
    files: ['lib/**/*.js'],
    // Warm-ups and these two files run when the snapshot is made.
    ignores: [
      'lib/**/warm_up.js', 'lib/internal/per_context/*', 'lib/internal/bootstrap/realm.js', ...commands, ...lib.ignores,
    ],
    rules: { 'rondo/primordials': 'error' },
  },
];

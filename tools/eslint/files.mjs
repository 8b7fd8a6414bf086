// Kinds of JavaScript in this tree, and how each is parsed. Both configurations begin with these.
import { globals } from './packages.mjs';

export const everything = ['**/*.{js,cjs,mjs,jsx}'];
// Keep in sync with SKIPPED in tools/dev_lint_js. Fixtures are input for tests: broken or unusual on purpose.
export const ignored = [
  'build/**', '**/node_modules/**', 'tests/golden/**/fixtures/**',
  // ES modules in files named .js or .cjs, and files with syntax errors.
  'tests/golden/ticks/modules/TICK-08-module-body.js', 'tests/golden/modules/*.*',
  'tests/golden/modules/{cjs,esm,hooks,loading,syntax,typescript}/**',
];
export const golden = ['tests/golden/**', 'tests/faults/programs/**'];

// The viewer's page also bundles these files, so they must be plain JavaScript: see lib/README.md.
export const plainTraceModules = ['callbacks', 'format', 'id_table', 'model', 'packed', 'reader', 'rules', 'tables'];

const commonjs = {
  sourceType: 'commonjs',
  ecmaVersion: 'latest',
  parserOptions: { ecmaFeatures: { globalReturn: true } },
};
const modules = {
  sourceType: 'module',
  ecmaVersion: 'latest',
  parserOptions: { ecmaFeatures: { globalReturn: false, jsx: true } },
};

export const languages = [
  { ignores: ignored },
  { files: everything, languageOptions: { ...commonjs, globals: globals.node } },
  { files: ['**/*.mjs', 'viewer/page/src/**'], languageOptions: { ...modules, globals: globals.nodeBuiltin } },
  {
    files: ['viewer/page/src/**'],
    languageOptions: { globals: { ...globals.browser, process: 'off', Buffer: 'off', setImmediate: 'off' } },
  },
  // These files pass functions to a browser, as text.
  { files: ['tests/viewer/**', 'viewer/pictures.mjs'], languageOptions: { globals: globals.browser } },
];

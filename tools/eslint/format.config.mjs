// The layout of JavaScript: ./dev fmt. docs/adr/build/0038 has the reasons for these rules.
import { everything, golden, languages } from './files.mjs';
import { stylistic } from './packages.mjs';
import { rondo } from './rules/index.mjs';

const layout = stylistic.configs.customize({
  arrowParens: true,
  braceStyle: '1tbs',
  commaDangle: 'always-multiline',
  indent: 2,
  jsx: true,
  quoteProps: 'consistent',
  quotes: 'single',
  semi: true,
});

export default [
  ...languages,
  // Outputs of golden programs name their lines and columns.
  { ignores: golden },
  {
    files: everything,
    // The plugin rondo is needed only because comments name its rules.
    plugins: { '@stylistic': stylistic, rondo },
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    rules: {
      ...layout.rules,
      '@stylistic/generator-star-spacing': ['error', { before: false, after: true, method: 'before' }],
      '@stylistic/indent': ['error', 2, { SwitchCase: 1, offsetTernaryExpressions: false }],
      '@stylistic/lines-between-class-members': ['error', 'always', { exceptAfterSingleLine: true }],
      // Long strings stay in one piece, so that messages can be searched for.
      '@stylistic/max-len': ['error', {
        code: 120,
        ignorePattern: '^\\s*(?:(?:return|yield) )?([\'"`]).*\\1(?: \\+)?[,;)]*$',
        ignoreRegExpLiterals: true,
        ignoreUrls: true,
      }],
      '@stylistic/operator-linebreak': ['error', 'after'],
      '@stylistic/quotes': ['error', 'single', { avoidEscape: true, allowTemplateLiterals: 'always' }],
      '@stylistic/space-before-function-paren': ['error', { anonymous: 'never', named: 'never', asyncArrow: 'always' }],
      // The author decides at which point to break a long expression or tag.
      '@stylistic/indent-binary-ops': 'off',
      '@stylistic/jsx-closing-bracket-location': 'off',
      '@stylistic/jsx-first-prop-new-line': 'off',
      '@stylistic/jsx-max-props-per-line': 'off',
      '@stylistic/jsx-one-expression-per-line': 'off',
      '@stylistic/max-statements-per-line': 'off',
      '@stylistic/multiline-ternary': 'off',
    },
  },
  {
    // A table whose lines are its rows.
    files: ['lib/internal/encoding/labels.js'],
    rules: { '@stylistic/max-len': 'off' },
  },
];

// The npm packages of this folder's lock file, from where tools/fetch_npm installs them.
import { createRequire } from 'node:module';

const installed = createRequire(new URL('../../build/third_party/eslint/package.json', import.meta.url));

export const js = installed('@eslint/js');
export const globals = installed('globals');
export const stylistic = installed('@stylistic/eslint-plugin');
export const { ESLint, RuleTester } = installed('eslint');

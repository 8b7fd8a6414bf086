// Hooks that --import has registered see the entry point, too.
import dep from './fixtures/register/dep.mjs';
import answer from 'virtual:answer';
import { c } from 'alias/fixtures/register/c.cjs';
import upper from './fixtures/register/b.upper';
import text from './fixtures/register/a.txt' with { type: 'json' };
console.log('ORIGINAL', dep, answer, c, upper, text);
console.log((await import('virtual:answer')).default);

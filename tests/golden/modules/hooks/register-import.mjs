// Hooks that --import has registered see the entry point, too.
import dep from './fixtures/dep.mjs';
import answer from 'virtual:answer';
import { c } from 'alias/fixtures/c.cjs';
import upper from './fixtures/b.upper';
import text from './fixtures/a.txt' with { type: 'json' };
console.log('ORIGINAL', dep, answer, c, upper, text);
console.log((await import('virtual:answer')).default);

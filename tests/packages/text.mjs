// Packages that work on text alone: each imported by the road it offers.
import chalk, { Chalk } from 'chalk';
import semver from 'semver';
import minimist from 'minimist';
import * as yaml from 'js-yaml';
import { parse } from 'csv-parse/sync';
import { v5, validate, v4, parse as bytesOf } from 'uuid';
import { z } from 'zod';
import createDebug from 'debug';

console.log(JSON.stringify(new Chalk({ level: 1 }).red.bold('x')), chalk.level);
console.log(semver.satisfies('20.1.3', '^20.0.0 || >=22'), semver.inc('1.2.3', 'prerelease', 'beta'),
  semver.rsort(['1.0.0', '2.1.0', '2.0.9']));
console.log(minimist(['-abc', '--n=4', '--no-x', 'rest', '--', 'y']));
console.log(yaml.load('a: [1, 2]\nb:\n  - c: true\n    d: 2020-01-01T00:00:00Z\n'), yaml.dump({ x: [1, { y: null }] }));
console.log(parse('a,b\n1,"two, quoted"\n', { columns: true }));
console.log(v5('example.org', v5.DNS), validate(v4()), bytesOf('6ba7b810-9dad-11d1-80b4-00c04fd430c8').subarray(0, 4));
const shape = z.object({ name: z.string().min(2), age: z.number().int().optional() });
console.log(shape.safeParse({ name: 'x' }).success, shape.parse({ name: 'xy', age: 3 }));
const debug = createDebug('app');
console.log(debug.enabled, typeof debug.extend('sub'));

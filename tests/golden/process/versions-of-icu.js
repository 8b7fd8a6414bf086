// process.versions names ICU, its data, and the other parts that both programs have.
'use strict';
const { versions } = process;
for (const name of ['node', 'cldr', 'icu', 'modules', 'openssl', 'tz', 'unicode', 'v8']) console.log(name, versions[name]);
console.log(Object.isFrozen(versions), [versions.amaro, versions.ares].every((version) => /^\d+\.\d+/.test(version)));

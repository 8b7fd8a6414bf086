'use strict';
// Accessors and methods of URL with other receivers, and errors of addresses that are no URLs.
const { URL, pathToFileURL, fileURLToPath, format } = require('url');

function attempt(name, fn) {
  try {
    console.log(name, fn());
  } catch (error) {
    console.log(name, String(error), error.code, error.input, error.base, Object.getPrototypeOf(error) === TypeError.prototype);
  }
}

for (const name of Object.getOwnPropertyNames(URL.prototype)) {
  if (name === 'constructor') continue;
  const { get, set, value } = Object.getOwnPropertyDescriptor(URL.prototype, name);
  if (get) attempt(`get ${name}`, () => get.call({}));
  if (set) attempt(`set ${name}`, () => set.call({}, 'x'));
  if (value) attempt(name, () => value.call({}));
}
console.log(URL.prototype[Symbol.for('nodejs.util.inspect.custom')].call({ href: 1 }, 1, {}));

attempt('new', () => new URL('x'));
attempt('with a base', () => new URL('x', 'y'));
attempt('href', () => { new URL('http://x').href = 'y'; });
attempt('fileURLToPath', () => fileURLToPath('x'));

// Paths of Windows to other machines.
for (const path of [
  '\\\\exa mple\\share\\file', '\\\\host@n\\a', '\\\\host:n\\a', '\\\\host[n\\a', '\\\\host#name\\share\\f', '\\\\host?name\\share\\f',
  '\\\\ho\nst\\a b', '\\\\nas\\My Docs\\%.doc', '\\\\?\\C:\\p\\f', '\\\\?\\UNC\\server\\share\\f', '\\\\x', '\\\\\\a', '//srv/share/x y',
  '\\\\localhost\\c$\\x', 'C:\\a\\..\\b?#',
]) attempt(JSON.stringify(path), () => pathToFileURL(path, { windows: true }).href);

'use strict';
const { win32 } = require('node:path');

console.log(require('path/win32') === win32, win32.sep, win32.delimiter);
const samples = ['', '.', '..', '\\', '/', 'C:', 'c:\\', 'C:/', 'C:a', 'C:..\\a', 'C:\\a\\..\\..\\b', '\\\\server\\share', '\\\\server\\share\\',
  '\\\\server\\share\\x\\..\\..', '//server/share/dir/file.txt', '\\\\server', '\\\\.\\pipe\\x', '\\\\?\\C:\\x', '\\a\\b', 'a\\b/c', 'a/../C:/x', './C:x',
  'con:', 'CON', 'con:x', 'a\\con:', 'C:\\path\\dir\\index.html', 'C:\\another_path\\DIR\\1\\2\\33\\\\index', '.\\file', 'x\\.\\y\\', 'a.b\\', 'D:foo.txt'];
for (const s of samples) {
  console.log(JSON.stringify(s), JSON.stringify([win32.normalize(s), win32.dirname(s), win32.basename(s), win32.extname(s),
    win32.isAbsolute(s), win32.join(s)]));
  console.log('  ', JSON.stringify(win32.parse(s)), JSON.stringify(win32.format(win32.parse(s))));
}
for (const args of [['c:/ignore', 'd:\\a/b\\c/d', '\\e.exe'], ['c:/', 'a', '..\\..\\b'], ['//server/share', '..', 'relative\\'], ['c:/', '//dir'],
  ['C:\\foo\\tmp.3\\', '..\\tmp.3\\cycles\\root.js'], ['\\\\.\\PHYSICALDRIVE0'], ['c:\\a', 'C:b']])
  console.log(JSON.stringify(args), JSON.stringify(win32.resolve(...args)));
for (const args of [['\\\\', 'a', 'b'], ['\\\\a', 'b'], ['//a', '/b', 'c'], ['c:', 'file'], ['c:.', '/'], ['C:', '..', 'x'], ['a', '..', '..', 'b'], ['', '']])
  console.log(JSON.stringify(args), JSON.stringify(win32.join(...args)));
for (const [from, to] of [['c:/blah\\blah', 'd:/games'], ['c:/aaaa/bbbb', 'c:/aaaa'], ['C:\\', 'c:\\A\\b'], ['c:/aaaa/bbbb', 'C:/AAAA/cccc'],
  ['\\\\foo\\bar', '\\\\foo\\bar\\baz'], ['C:\\baz-quux', 'C:\\baz'], ['c:\\x', 'c:\\x']])
  console.log(from, to, JSON.stringify(win32.relative(from, to)));
for (const s of ['C:\\x', '\\\\server\\share\\x', '\\\\?\\x', '', 5, null]) console.log(s, win32.toNamespacedPath(s));

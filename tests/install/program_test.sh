#!/usr/bin/env bash
# program_test.sh BUILD: installs the program rondo from BUILD, and starts it in all usual ways.
build=$(readlink -f "$1")
# shellcheck source=tests/support/check.sh
source "$(dirname "$0")/../support/check.sh"

# expect TEXT COMMAND...: the command prints this text, and nothing else.
expect() {
  local text=$1 output status=0
  shift
  output=$("$@" 2>&1) || status=$?
  [[ $status == 0 && $output == "$text" ]] || complain "$*: ended with $status: '$output', not '$text'"
}
unset LD_LIBRARY_PATH
export RONDO_NO_CONTROL=1
here=$(readlink -f .)

cmake --install "$build" --component program --prefix "$here/first" >log || {
  cat log
  exit 1
}
for file in share/doc/rondo/LICENSE share/doc/rondo/LICENSE.punycode; do
  [[ -s first/$file ]] || complain "no $file"
done
expect "$here/first/bin/rondo" first/bin/rondo -p 'process.execPath'

mv first prefix
program=$here/prefix/bin/rondo
where='[process.execPath, fs.readlinkSync("/proc/self/exe"), process.argv[0]].join(" ")'
expect "$program $program $program" prefix/bin/rondo -p "$where"
ln -s prefix/bin/rondo relative
ln -s "$program" absolute
mkdir folder
ln -s ../absolute folder/rondo
for link in ./relative ./absolute folder/rondo "$here/folder/rondo"; do
  expect "$program $program $program" "$link" -p "$where"
  expect "$link" "$link" -p 'process.argv0'
done
PATH=$here/folder:$PATH expect "$program" rondo -p 'process.execPath'
cd / || exit 1
expect "$program" "$program" -p 'process.execPath'
cd "$here" || exit 1

# Children and workers are started from process.execPath.
cat >app.js <<'JS'
const { fork, execFileSync } = require('node:child_process');
const { Worker, isMainThread, parentPort } = require('node:worker_threads');
if (!isMainThread) {
  parentPort.postMessage('worker');
} else if (process.argv[2] === 'child') {
  process.send('fork');
} else {
  console.log(`${execFileSync(process.execPath, ['-p', '"execFile"'])}`.trim());
  fork(__filename, ['child']).on('message', (text) => {
    console.log(text);
    new Worker(__filename).on('message', (message) => console.log(message));
  });
}
JS
expect $'execFile\nfork\nworker' folder/rondo app.js
# Modules of the prefix, as for Node's.
mkdir -p prefix/lib/node/of_the_prefix
echo 'module.exports = "lib/node"' >prefix/lib/node/of_the_prefix/index.js
expect lib/node folder/rondo -p 'require("of_the_prefix")'
# The library that `rondo uv` preloads reports programs that it cannot serve.
fails() {
  local text=$1 output status=0
  shift
  output=$("$@" 2>&1) || status=$?
  [[ $status == 1 && $output == "$text" ]] || complain "$*: ended with $status: '$output', not '$text'"
}
no_libuv='does not use libuv: it neither is linked with libuv.so.1 nor contains libuv and exports its functions, '
no_libuv+='and it loads no libraries while it runs'
fails "rondo uv: true $no_libuv" folder/rondo uv true
# A renamed copy still finds the same library.
cp prefix/bin/rondo prefix/bin/other
expect "$here/prefix/bin/other" prefix/bin/other -p 'process.execPath'
# Both files also work in one folder.
mkdir together
cp prefix/bin/rondo together
[[ ! -d prefix/lib/rondo ]] || cp prefix/lib/rondo/* together
expect "$here/together/rondo" together/rondo -p 'process.execPath'
fails 'rondo uv: this installation of rondo has no libuv.so.1; install the complete package' together/rondo uv true
all_passed

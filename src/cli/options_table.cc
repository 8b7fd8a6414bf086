#include "cli/options_table.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace rondo::cli {

const char* const kHelp =
    R"(usage: rondo [options] [script.js | -] [arguments]
       rondo [options] -e CODE [arguments]
       rondo trace [options] script.js     show where a run spends its time; see rondo trace --help
       rondo order [options] script.js     list its callbacks in order, with the rule for each
       rondo explore [options] script.js   find its outcomes under every legal order of callbacks
       rondo replay SCHEDULE script.js     repeat one of these orders
       rondo why PID                       show what keeps a running process alive
       rondo top PID                       show the activity of its loop
       rondo test [options] [files]        run tests; see rondo test --help
       rondo uv PROGRAM [arguments]        run an installed program that uses libuv on Rondo's loop
       rondo node [arguments]              run the installed Node on Rondo's loop; see rondo uv --help

Runs a JavaScript program (CommonJS, or an ES module: .mjs, or "type": "module") on the Rondo event loop.

  -e, --eval CODE            run CODE
  -p, --print CODE           run CODE and print its value
  -c, --check                check the script's syntax without running it
  -r, --require MODULE       load MODULE before the program; may be repeated
      --import MODULE        the same for an ES module
      --input-type=TYPE      format of -e, -p and stdin: commonjs, module, commonjs-typescript or module-typescript
      --env-file=FILE        set environment variables from FILE; --env-file-if-exists=FILE: only if it exists
      --run=SCRIPT           run SCRIPT of package.json
  -C, --conditions=NAME      additional condition for package "exports" and "imports"
  -                          read the program from standard input

      --ticks=WHEN           drain ticks and microtasks per-callback (the default) or per-phase (as Node 10)
      --clock=virtual[:DATE] virtual time, starting at DATE: jumps to the next timer when the loop is idle
      --seed=N               choose among the legal orders with this seed, reproducibly; implies --clock=virtual
      --record=FILE          record the order of callbacks and the results of file operations for rondo replay
      --blocked=MS           report callbacks that block the loop longer than this
      --backend=NAME         epoll or uring (default: uring if the kernel supports it, otherwise epoll)
      --trace-file=FILE      record the events of the loop for rondo trace
      --trace-buffer=MIB     keep the last MIB MiB of records (default: 64)
      --trace-on=WHEN        record in memory, and write a file on a trigger: SIGUSR2, blocked:MS, uncaught
      --trace-otlp=URL       send spans of HTTP requests to a collector of OpenTelemetry, such as http://127.0.0.1:4318
      --metrics=[HOST:]PORT  serve metrics for Prometheus at /metrics, on 127.0.0.1 if there is no host
      --no-control           do not answer `rondo why` and `rondo top`

      --use-env-proxy        send requests through the proxies in HTTP_PROXY, HTTPS_PROXY and NO_PROXY
      --max-http-header-size=BYTES  largest size of the header fields of a message (default: 16384)
      --insecure-http-parser accept invalid HTTP messages
      --use-system-ca        trust the system's certificates, too; --use-openssl-ca: only those of OpenSSL's files
      --tls-min-v1.3, --tls-max-v1.2 and others, --tls-cipher-list=LIST, --tls-keylog=FILE, --trace-tls
      --dns-result-order=ORDER  ipv4first, ipv6first or verbatim (the default)

      --no-warnings          do not print warnings
      --throw-deprecation, --trace-deprecation, --no-deprecation, --pending-deprecation
      --trace-warnings, --trace-uncaught, --unhandled-rejections=MODE
      --redirect-warnings=FILE  append warnings to FILE
      --title=TEXT           the process title, as shown by ps
      --zero-fill-buffers    Buffer.allocUnsafe() and similar functions return zeroed memory
      --enable-source-maps, --preserve-symlinks, --preserve-symlinks-main
      --v8-options           list V8's own options, all of which are accepted
  -v, --version              print the versions of rondo, of Node's API and of V8
  -h, --help                 print this text

Environment: NODE_OPTIONS, NODE_PATH, NODE_COMPILE_CACHE, NODE_DEBUG, NODE_NO_WARNINGS, NODE_REDIRECT_WARNINGS,
NODE_PENDING_DEPRECATION, NODE_PRESERVE_SYMLINKS, NODE_V8_COVERAGE, NODE_EXTRA_CA_CERTS, NODE_USE_SYSTEM_CA,
NODE_TLS_REJECT_UNAUTHORIZED, NODE_USE_ENV_PROXY (with HTTP_PROXY, HTTPS_PROXY, NO_PROXY), OTEL_SERVICE_NAME and others
for --trace-otlp, NO_COLOR, FORCE_COLOR, RONDO_BACKEND, RONDO_NO_CONTROL, RONDO_SPIN, RONDO_THREADPOOL_SIZE (or
UV_THREADPOOL_SIZE).
)";

namespace {

constexpr std::array<std::string_view, 9> kCommands = {"trace", "order", "explore", "replay", "why",
                                                       "top",   "test",  "uv",      "node"};

constexpr std::array kOptions = {
    Option{"--eval", "-e", Takes::value, "eval"},
    Option{"--print", "-p", Takes::optional_value, "print"},
    Option{"--check", "-c", Takes::nothing, "check"},
    Option{"--require", "-r", Takes::value, "require"},
    Option{"--import", "", Takes::value, "import"},
    Option{"--input-type", "", Takes::value, "input-type"},
    Option{"--conditions", "-C", Takes::value, "conditions"},
    Option{"--interactive", "-i", Takes::nothing, "interactive"},
    Option{"--ticks", "", Takes::value, "ticks"},
    Option{"--clock", "", Takes::value, "clock"},
    Option{"--seed", "", Takes::value, "seed"},
    Option{"--record", "", Takes::value, "record"},
    Option{"--replay", "", Takes::value, "replay"},
    Option{"--schedule", "", Takes::value, "schedule"},
    Option{"--choice-limits", "", Takes::value, "choice-limits"},
    Option{"--explore-server", "", Takes::value, "explore-server"},
    Option{"--blocked", "", Takes::value, "blocked"},
    Option{"--backend", "", Takes::value, "backend"},
    Option{"--trace-file", "", Takes::value, "trace-file"},
    Option{"--trace-buffer", "", Takes::value, "trace-buffer"},
    Option{"--trace-on", "", Takes::value, "trace-on"},
    Option{"--trace-otlp", "", Takes::value, "trace-otlp"},
    Option{"--metrics", "", Takes::value, "metrics"},
    Option{"--no-control", "", Takes::nothing, "no-control"},
    Option{"--control", "", Takes::nothing, "control"},
    Option{"--no-warnings", "", Takes::nothing, "no-warnings"},
    Option{"--warnings", "", Takes::nothing, "warnings"},
    Option{"--throw-deprecation", "", Takes::nothing, "throw-deprecation"},
    Option{"--trace-deprecation", "", Takes::nothing, "trace-deprecation"},
    Option{"--no-deprecation", "", Takes::nothing, "no-deprecation"},
    Option{"--pending-deprecation", "", Takes::nothing, "pending-deprecation"},
    Option{"--trace-warnings", "", Takes::nothing, "trace-warnings"},
    Option{"--trace-uncaught", "", Takes::nothing, "trace-uncaught"},
    Option{"--unhandled-rejections", "", Takes::value, "unhandled-rejections"},
    Option{"--enable-source-maps", "", Takes::nothing, "enable-source-maps"},
    Option{"--preserve-symlinks", "", Takes::nothing, "preserve-symlinks"},
    Option{"--preserve-symlinks-main", "", Takes::nothing, "preserve-symlinks-main"},
    Option{"--stack-trace-limit", "", Takes::value, "stack-trace-limit"},
    Option{"--expose-internals", "", Takes::nothing, "expose-internals"},
    Option{"--title", "", Takes::value, "title"},
    Option{"--test", "", Takes::nothing, "test"},
    Option{"--test-only", "", Takes::nothing, "test-only"},
    Option{"--test-name-pattern", "", Takes::value, "test-name-pattern"},
    Option{"--test-skip-pattern", "", Takes::value, "test-skip-pattern"},
    Option{"--test-update-snapshots", "", Takes::nothing, "test-update-snapshots"},
    Option{"--experimental-test-tag-filter", "", Takes::value, "experimental-test-tag-filter"},
    Option{"--test-reporter", "", Takes::value, "test-reporter"},
    Option{"--test-reporter-destination", "", Takes::value, "test-reporter-destination"},
    Option{"--test-concurrency", "", Takes::value, "test-concurrency"},
    Option{"--test-timeout", "", Takes::value, "test-timeout"},
    Option{"--test-shard", "", Takes::value, "test-shard"},
    Option{"--test-force-exit", "", Takes::nothing, "test-force-exit"},
    Option{"--experimental-test-coverage", "", Takes::nothing, "experimental-test-coverage"},
    Option{"--test-coverage-include", "", Takes::value, "test-coverage-include"},
    Option{"--test-coverage-exclude", "", Takes::value, "test-coverage-exclude"},
    Option{"--test-coverage-lines", "", Takes::value, "test-coverage-lines"},
    Option{"--test-coverage-branches", "", Takes::value, "test-coverage-branches"},
    Option{"--test-coverage-functions", "", Takes::value, "test-coverage-functions"},
    Option{"--test-coverage-include-all", "", Takes::nothing, "test-coverage-include-all"},
    Option{"--test-isolation", "", Takes::value, "test-isolation"},
    Option{"--experimental-test-isolation", "", Takes::value, "test-isolation"},
    Option{"--experimental-test-module-mocks", "", Takes::nothing,
           "experimental-test-module-mocks"},
    Option{"--test-randomize", "", Takes::nothing, "test-randomize"},
    Option{"--test-random-seed", "", Takes::value, "test-random-seed"},
    Option{"--test-global-setup", "", Takes::value, "test-global-setup"},
    Option{"--test-udp-no-try-send", "", Takes::nothing, "test-udp-no-try-send"},
    Option{"--report-compact", "", Takes::nothing, "report-compact"},
    Option{"--report-directory", "", Takes::value, "report-directory"},
    Option{"--report-dir", "", Takes::value, "report-directory"},
    Option{"--report-exclude-env", "", Takes::nothing, "report-exclude-env"},
    Option{"--report-exclude-network", "", Takes::nothing, "report-exclude-network"},
    Option{"--report-filename", "", Takes::value, "report-filename"},
    Option{"--report-on-fatalerror", "", Takes::nothing, "report-on-fatalerror"},
    Option{"--report-on-signal", "", Takes::nothing, "report-on-signal"},
    Option{"--report-signal", "", Takes::value, "report-signal"},
    Option{"--report-uncaught-exception", "", Takes::nothing, "report-uncaught-exception"},
    Option{"--deprecation", "", Takes::nothing, "deprecation"},
    Option{"--require-module", "", Takes::nothing, "require-module"},
    Option{"--experimental-require-module", "", Takes::nothing, "require-module"},
    Option{"--experimental-detect-module", "", Takes::nothing, "experimental-detect-module"},
    Option{"--strip-types", "", Takes::nothing, "strip-types"},
    Option{"--experimental-strip-types", "", Takes::nothing, "strip-types"},
    Option{"--experimental-loader", "", Takes::value, "experimental-loader"},
    Option{"--loader", "", Takes::value, "experimental-loader"},
    Option{"--experimental-vm-modules", "", Takes::nothing, "experimental-vm-modules"},
    Option{"--experimental-package-map", "", Takes::value, "experimental-package-map"},
    Option{"--experimental-print-required-tla", "", Takes::nothing,
           "experimental-print-required-tla"},
    Option{"--experimental-import-text", "", Takes::nothing, "experimental-import-text"},
    Option{"--trace-require-module", "", Takes::value, "trace-require-module"},
    Option{"--entry-url", "", Takes::nothing, "entry-url"},
    Option{"--env-file", "", Takes::value, "env-file"},
    Option{"--env-file-if-exists", "", Takes::value, "env-file-if-exists"},
    Option{"--disable-warning", "", Takes::value, "disable-warning"},
    Option{"--disable-proto", "", Takes::value, "disable-proto"},
    Option{"--frozen-intrinsics", "", Takes::nothing, "frozen-intrinsics"},
    Option{"--run", "", Takes::value, "run"},
    Option{"--dns-result-order", "", Takes::value, "dns-result-order"},
    Option{"--network-family-autoselection", "", Takes::nothing, "network-family-autoselection"},
    Option{"--network-family-autoselection-attempt-timeout", "", Takes::value,
           "network-family-autoselection-attempt-timeout"},
    Option{"--enable-network-family-autoselection", "", Takes::nothing,
           "network-family-autoselection"},
    Option{"--extra-info-on-fatal-exception", "", Takes::nothing, "extra-info-on-fatal-exception"},
    Option{"--redirect-warnings", "", Takes::value, "redirect-warnings"},
    Option{"--zero-fill-buffers", "", Takes::nothing, "zero-fill-buffers"},
    Option{"--v8-options", "", Takes::nothing, "v8-options"},
    Option{"--version", "-v", Takes::nothing, "version"},
    Option{"--help", "-h", Takes::nothing, "help"},
    Option{"--use-env-proxy", "", Takes::nothing, "use-env-proxy"},
    Option{"--max-http-header-size", "", Takes::value, "max-http-header-size"},
    Option{"--insecure-http-parser", "", Takes::nothing, "insecure-http-parser"},
    Option{"--experimental-eventsource", "", Takes::nothing, "experimental-eventsource"},
    Option{"--experimental-websocket", "", Takes::nothing, "experimental-websocket"},
    Option{"--experimental-global-navigator", "", Takes::nothing, "experimental-global-navigator"},
    Option{"--use-bundled-ca", "", Takes::nothing, "use-bundled-ca"},
    Option{"--use-openssl-ca", "", Takes::nothing, "use-openssl-ca"},
    Option{"--use-system-ca", "", Takes::nothing, "use-system-ca"},
    Option{"--tls-cipher-list", "", Takes::value, "tls-cipher-list"},
    Option{"--tls-keylog", "", Takes::value, "tls-keylog"},
    Option{"--tls-max-v1.2", "", Takes::nothing, "tls-max-v1.2"},
    Option{"--tls-max-v1.3", "", Takes::nothing, "tls-max-v1.3"},
    Option{"--tls-min-v1.0", "", Takes::nothing, "tls-min-v1.0"},
    Option{"--tls-min-v1.1", "", Takes::nothing, "tls-min-v1.1"},
    Option{"--tls-min-v1.2", "", Takes::nothing, "tls-min-v1.2"},
    Option{"--tls-min-v1.3", "", Takes::nothing, "tls-min-v1.3"},
    Option{"--trace-tls", "", Takes::nothing, "trace-tls"},
    Option{"--trace-exit", "", Takes::nothing, "trace-exit"},
    Option{"--trace-sigint", "", Takes::nothing, "trace-sigint"},
    // Node's options for features that Rondo does not have or always has. They are accepted, so
    // that programs can be started with them.
    Option{"--addons", "", Takes::nothing, "addons"},
    Option{"--async-context-frame", "", Takes::nothing, "async-context-frame"},
    Option{"--debug-arraybuffer-allocations", "", Takes::nothing, "debug-arraybuffer-allocations"},
    Option{"--experimental-abortcontroller", "", Takes::nothing, "experimental-abortcontroller"},
    Option{"--experimental-addon-modules", "", Takes::nothing, "experimental-addon-modules"},
    Option{"--experimental-json-modules", "", Takes::nothing, "experimental-json-modules"},
    Option{"--experimental-quic", "", Takes::nothing, "experimental-quic"},
    Option{"--experimental-report", "", Takes::nothing, "experimental-report"},
    Option{"--experimental-shadow-realm", "", Takes::nothing, "experimental-shadow-realm"},
    Option{"--experimental-sqlite", "", Takes::nothing, "experimental-sqlite"},
    Option{"--experimental-test-snapshots", "", Takes::nothing, "experimental-test-snapshots"},
    Option{"--experimental-top-level-await", "", Takes::nothing, "experimental-top-level-await"},
    Option{"--experimental-wasm-modules", "", Takes::nothing, "experimental-wasm-modules"},
    Option{"--experimental-webstorage", "", Takes::nothing, "experimental-webstorage"},
    Option{"--experimental-worker", "", Takes::nothing, "experimental-worker"},
    Option{"--force-context-aware", "", Takes::nothing, "force-context-aware"},
    Option{"--force-node-api-uncaught-exceptions-policy", "", Takes::nothing,
           "force-node-api-uncaught-exceptions-policy"},
    Option{"--node-memory-debug", "", Takes::nothing, "node-memory-debug"},
    Option{"--webstorage", "", Takes::nothing, "webstorage"},
    Option{"--worker-snapshot", "", Takes::nothing, "worker-snapshot"},
    Option{"--experimental-fetch", "", Takes::nothing, "experimental-fetch"},
    Option{"--experimental-global-customevent", "", Takes::nothing,
           "experimental-global-customevent"},
    Option{"--experimental-global-webcrypto", "", Takes::nothing, "experimental-global-webcrypto"},
    Option{"--experimental-import-meta-resolve", "", Takes::nothing,
           "experimental-import-meta-resolve"},
    Option{"--experimental-repl-await", "", Takes::nothing, "experimental-repl-await"},
    Option{"--force-async-hooks-checks", "", Takes::nothing, "force-async-hooks-checks"},
    Option{"--global-search-paths", "", Takes::nothing, "global-search-paths"},
    Option{"--icu-data-dir", "", Takes::value, "icu-data-dir"},
    Option{"--node-snapshot", "", Takes::nothing, "node-snapshot"},
    Option{"--trace-event-categories", "", Takes::value, "trace-event-categories"},
    Option{"--trace-event-file-pattern", "", Takes::value, "trace-event-file-pattern"},
    Option{"--trace-events-enabled", "", Takes::nothing, "trace-events-enabled"},
    Option{"--trace-sync-io", "", Takes::nothing, "trace-sync-io"},
    Option{"--track-heap-objects", "", Takes::nothing, "track-heap-objects"},
    Option{"--v8-pool-size", "", Takes::value, "v8-pool-size"},
    Option{"--verify-base-objects", "", Takes::nothing, "verify-base-objects"},
};

// The edit distance between two words. Exchanging two neighbouring letters is one change.
size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::vector<size_t> last = row;
  std::vector<size_t> before_last = row;
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
    before_last = std::exchange(last, std::exchange(row, std::move(before_last)));
  }
  return last[b.size()];
}

// The word that `word` is most likely a misspelling of; empty if all differ in more than `most`
// letters.
template <class List, class NameOf>
std::string_view nearest(std::string_view word, const List& list, size_t most, NameOf name_of) {
  std::string_view best;
  size_t least = most + 1;
  for (const auto& candidate : list) {
    const size_t changes = distance(word, name_of(candidate));
    if (changes < least) {
      least = changes;
      best = name_of(candidate);
    }
  }
  return best;
}

}  // namespace

const Option* find_option(std::string_view name) {
  const auto* const found =
      std::find_if(kOptions.begin(), kOptions.end(), [&](const Option& candidate) {
        return candidate.name == name || (!candidate.alias.empty() && candidate.alias == name);
      });
  return found == kOptions.end() ? nullptr : found;
}

bool takes_next_argument(const std::string& argument) {
  const Option* const option = find_option(argument == "-pe" ? "--print" : argument);
  return option != nullptr && option->takes != Takes::nothing;
}

bool is_command(std::string_view name) {
  return std::find(kCommands.begin(), kCommands.end(), name) != kCommands.end();
}

std::string_view nearest_option(std::string_view name) {
  // At most one letter in three may differ, and at most three letters; otherwise `name` is another
  // word.
  constexpr size_t kDashes = 2;
  constexpr size_t kMostChanges = 3;
  const size_t most =
      name.size() < kDashes ? 0 : std::min(kMostChanges, (name.size() - kDashes) / 3);
  return nearest(name, kOptions, most, [](const Option& option) { return option.name; });
}

std::string_view nearest_command(std::string_view word) {
  if (word.size() < 3 || word.find_first_of("./") != std::string_view::npos) return {};
  const size_t most = word.size() / 4 + 1;
  return nearest(word, kCommands, most, [](std::string_view command) { return command; });
}

}  // namespace rondo::cli

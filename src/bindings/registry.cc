#include "bindings/registry.h"

namespace rondo::bindings {

// One line per file of this folder; the snapshot depends on the order, so the two must be built
// together.
extern const runtime::Binding async_context;
extern const runtime::Binding buffer;
extern const runtime::Binding bytes;
extern const runtime::Binding child_process;
extern const runtime::Binding clock;
extern const runtime::Binding code_cache;
extern const runtime::Binding command_line;
extern const runtime::Binding coverage;
extern const runtime::Binding crypto_cipher;
extern const runtime::Binding crypto_derive;
extern const runtime::Binding crypto_hash;
extern const runtime::Binding crypto_prime;
extern const runtime::Binding crypto_random;
extern const runtime::Binding credentials;
extern const runtime::Binding dns;
extern const runtime::Binding dns_resolver;
extern const runtime::Binding errors;
extern const runtime::Binding explore;
extern const runtime::Binding fs_dir;
extern const runtime::Binding fs_files;
extern const runtime::Binding fs_tree;
extern const runtime::Binding fs_watch;
extern const runtime::Binding ipc;
extern const runtime::Binding locks;
extern const runtime::Binding loop_state;
extern const runtime::Binding messaging;
extern const runtime::Binding module_fs;
extern const runtime::Binding modules;
extern const runtime::Binding os;
extern const runtime::Binding performance;
extern const runtime::Binding process;
extern const runtime::Binding report;
extern const runtime::Binding shared_text;
extern const runtime::Binding signals;
extern const runtime::Binding stdin_reader;
extern const runtime::Binding stdio;
extern const runtime::Binding stream_servers;
extern const runtime::Binding stream_writes;
extern const runtime::Binding streams;
extern const runtime::Binding task_queue;
extern const runtime::Binding text_encoding;
extern const runtime::Binding timers;
extern const runtime::Binding trace;
extern const runtime::Binding types;
extern const runtime::Binding util;
extern const runtime::Binding v8_engine;
extern const runtime::Binding v8_profile;
extern const runtime::Binding worker;

runtime::Bindings all() {
  // One per line, so that two branches can each add one.
  // clang-format off
  static const runtime::Binding* const kAll[] = {
      &async_context,
      &buffer,
      &bytes,
      &child_process,
      &clock,
      &code_cache,
      &command_line,
      &coverage,
      &crypto_cipher,
      &crypto_derive,
      &crypto_hash,
      &crypto_prime,
      &crypto_random,
      &credentials,
      &dns,
      &dns_resolver,
      &errors,
      &explore,
      &fs_dir,
      &fs_files,
      &fs_tree,
      &fs_watch,
      &ipc,
      &locks,
      &loop_state,
      &messaging,
      &module_fs,
      &modules,
      &os,
      &performance,
      &process,
      &report,
      &shared_text,
      &signals,
      &stdin_reader,
      &stdio,
      &stream_servers,
      &stream_writes,
      &streams,
      &task_queue,
      &text_encoding,
      &timers,
      &trace,
      &types,
      &util,
      &v8_engine,
      &v8_profile,
      &worker,
  };
  // clang-format on
  return kAll;
}

}  // namespace rondo::bindings

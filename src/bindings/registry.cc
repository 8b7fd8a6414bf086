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
extern const runtime::Binding crypto_dh;
extern const runtime::Binding crypto_ecdh;
extern const runtime::Binding crypto_exchange;
extern const runtime::Binding crypto_hash;
extern const runtime::Binding crypto_key_material;
extern const runtime::Binding crypto_keygen;
extern const runtime::Binding crypto_keys;
extern const runtime::Binding crypto_mac;
extern const runtime::Binding crypto_prime;
extern const runtime::Binding crypto_random;
extern const runtime::Binding crypto_rsa;
extern const runtime::Binding crypto_sign;
extern const runtime::Binding crypto_spkac;
extern const runtime::Binding crypto_x509;
extern const runtime::Binding credentials;
extern const runtime::Binding dns;
extern const runtime::Binding dns_resolver;
extern const runtime::Binding errors;
extern const runtime::Binding explore;
extern const runtime::Binding fs_dir;
extern const runtime::Binding fs_files;
extern const runtime::Binding fs_tree;
extern const runtime::Binding fs_watch;
extern const runtime::Binding http2_base;
extern const runtime::Binding http2_sessions;
extern const runtime::Binding http2_streams;
extern const runtime::Binding http_parser;
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
extern const runtime::Binding tls_context;
extern const runtime::Binding tls_details;
extern const runtime::Binding tls_keys;
extern const runtime::Binding tls_roots;
extern const runtime::Binding tls_streams;
extern const runtime::Binding trace;
extern const runtime::Binding types;
extern const runtime::Binding udp;
extern const runtime::Binding udp_options;
extern const runtime::Binding util;
extern const runtime::Binding v8_engine;
extern const runtime::Binding v8_profile;
extern const runtime::Binding vm_contexts;
extern const runtime::Binding vm_modules;
extern const runtime::Binding vm_scripts;
extern const runtime::Binding wasm_streaming;
extern const runtime::Binding worker;
extern const runtime::Binding zlib_checksums;
extern const runtime::Binding zlib_one_shot;
extern const runtime::Binding zlib_stream;

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
      &crypto_dh,
      &crypto_ecdh,
      &crypto_exchange,
      &crypto_hash,
      &crypto_key_material,
      &crypto_keygen,
      &crypto_keys,
      &crypto_mac,
      &crypto_prime,
      &crypto_random,
      &crypto_rsa,
      &crypto_sign,
      &crypto_spkac,
      &crypto_x509,
      &credentials,
      &dns,
      &dns_resolver,
      &errors,
      &explore,
      &fs_dir,
      &fs_files,
      &fs_tree,
      &fs_watch,
      &http2_base,
      &http2_sessions,
      &http2_streams,
      &http_parser,
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
      &tls_context,
      &tls_details,
      &tls_keys,
      &tls_roots,
      &tls_streams,
      &trace,
      &types,
      &udp,
      &udp_options,
      &util,
      &v8_engine,
      &v8_profile,
      &vm_contexts,
      &vm_modules,
      &vm_scripts,
      &wasm_streaming,
      &worker,
      &zlib_checksums,
      &zlib_one_shot,
      &zlib_stream,
  };
  // clang-format on
  return kAll;
}

}  // namespace rondo::bindings

// An Engine is an isolate made from the snapshot, with the realm in it, on a loop: everything that
// runs JavaScript. It owns no policy: main decides what to run.
// Thread: the loop's only.
#pragma once

#include <memory>
#include <string_view>

#include "loop/async.h"
#include "runtime/allocator.h"
#include "runtime/binding.h"
#include "runtime/platform.h"
#include "runtime/realm.h"
#include "runtime/sources.h"

namespace rondo::runtime {

struct EngineOptions {
  std::string_view snapshot;  // Of make_snapshot(). Must outlive the engine.
  Bindings bindings;
  RealmOptions realm;
};

class Engine {
 public:
  Engine(Platform& platform, Loop& loop, EngineOptions options);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  Realm& realm() { return *realm_; }

  // Runs lib's start function, which runs the program's entry point as `mode` says ("run_main",
  // "eval_string"...), then the loop until nothing is left, with beforeExit and exit. Returns the
  // exit code.
  int run(std::string_view mode);

 private:
  void spin();
  void run_tasks();

  Platform& platform_;
  Package package_;
  std::vector<intptr_t> references_;
  v8::StartupData blob_;
  CountingAllocator allocator_;
  v8::Isolate* isolate_ = nullptr;
  std::unique_ptr<Realm> realm_;
  // Wakes the loop when V8 has something for its thread: finalization callbacks, mostly.
  Owned<Async> tasks_;
  ForegroundTasks::Bell bell_{};
};

}  // namespace rondo::runtime

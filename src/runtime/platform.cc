#include "runtime/platform.h"

namespace rondo::runtime {

Platform::Platform(Clock& clock)
    : clock_(clock), inner_(v8::platform::NewDefaultPlatform()) {
  // Node 20 has import(x, options); this V8 can, if asked.
  v8::V8::SetFlagsFromString("--harmony-import-assertions");
  v8::V8::InitializePlatform(this);
  v8::V8::Initialize();
}

Platform::~Platform() {
  v8::V8::Dispose();
  v8::V8::DisposePlatform();
}

bool Platform::run_tasks(v8::Isolate* isolate) {
  bool ran = false;
  while (v8::platform::PumpMessageLoop(inner_.get(), isolate)) ran = true;
  return ran;
}

}  // namespace rondo::runtime

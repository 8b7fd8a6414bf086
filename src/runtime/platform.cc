#include "runtime/platform.h"

namespace rondo::runtime {

void ForegroundTasks::set_bell(const Bell* bell) {
  const std::lock_guard lock(mutex_);
  bell_ = bell;
}

void ForegroundTasks::ring() {
  const std::lock_guard lock(mutex_);
  if (bell_ != nullptr) bell_->ring(bell_->argument);
}

Platform::Platform(Clock& clock, bool is_alone)
    : clock_(clock),
      inner_(is_alone ? v8::platform::NewSingleThreadedDefaultPlatform()
                      : v8::platform::NewDefaultPlatform()) {
  if (is_alone) v8::V8::SetFlagsFromString("--single-threaded");
  // On in Node, and off in the library that Debian makes of it.
  v8::V8::SetFlagsFromString("--harmony-import-assertions");
  // Off by default in this V8; without it the fast forms of bindings' functions are never called.
  v8::V8::SetFlagsFromString("--turbo-fast-api-calls");
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

void Platform::forget(v8::Isolate* isolate) {
  v8::platform::NotifyIsolateShutdown(inner_.get(), isolate);
  const std::lock_guard lock(mutex_);
  tasks_.erase(isolate);
}

std::shared_ptr<ForegroundTasks> Platform::tasks_of(v8::Isolate* isolate) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<ForegroundTasks>& tasks = tasks_[isolate];
  if (!tasks) tasks = std::make_shared<ForegroundTasks>(inner_->GetForegroundTaskRunner(isolate));
  return tasks;
}

std::shared_ptr<v8::TaskRunner> Platform::GetForegroundTaskRunner(v8::Isolate* isolate) {
  return tasks_of(isolate);
}

void Platform::set_bell(v8::Isolate* isolate, const ForegroundTasks::Bell* bell) {
  tasks_of(isolate)->set_bell(bell);
}

}  // namespace rondo::runtime

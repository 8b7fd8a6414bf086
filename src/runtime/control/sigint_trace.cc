#include "runtime/control/sigint_trace.h"

#include <unistd.h>

#include <cerrno>
#include <string>

#include "runtime/values/values.h"

namespace rondo::runtime {

namespace {

constexpr int kMostFrames = 10;
// More frames than are printed, because frames of lib are left out.
constexpr int kMostFramesRequested = 64;

// The semaphore of the started instance; read by the signal handler.
std::atomic<sem_t*> arrivals{nullptr};

void on_signal(int) {
  const int saved = errno;
  if (sem_t* const semaphore = arrivals.load()) ::sem_post(semaphore);
  errno = saved;
}

std::string describe(v8::Isolate* isolate, v8::Local<v8::StackTrace> stack) {
  std::string text;
  int shown = 0;
  for (int i = 0; i < stack->GetFrameCount() && shown < kMostFrames; ++i) {
    const v8::Local<v8::StackFrame> frame = stack->GetFrame(isolate, static_cast<uint32_t>(i));
    const std::string script = to_std(isolate, frame->GetScriptNameOrSourceURL());
    if (script.starts_with("node:")) continue;
    const std::string place = script + ":" + std::to_string(frame->GetLineNumber()) + ":" +
                              std::to_string(frame->GetColumn());
    const std::string function = to_std(isolate, frame->GetFunctionName());
    text +=
        function.empty() ? "    at " + place + "\n" : "    at " + function + " (" + place + ")\n";
    ++shown;
  }
  return text;
}

void print(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<size_t>(written));
  }
}

}  // namespace

bool SigintTrace::start() {
  if (watcher_.is_started()) return true;
  ::sem_init(&arrivals_, 0, 0);
  is_stopping_ = false;
  has_arrived_ = false;
  async_ = realm_.loop().make<Async>([this](Async&) { report(); });
  async_->unref();
  async_->set_internal();
  if (!watcher_.start([this] { watch(); })) {
    async_.reset();
    ::sem_destroy(&arrivals_);
    return false;
  }
  arrivals = &arrivals_;
  install();
  return true;
}

void SigintTrace::install() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  ::sigfillset(&action.sa_mask);
  ::sigaction(SIGINT, &action, &before_);
}

void SigintTrace::stop() {
  if (!watcher_.is_started()) return;
  struct sigaction now {};
  ::sigaction(SIGINT, nullptr, &now);
  // A listener of the program may have replaced the handler meanwhile.
  if (now.sa_handler == on_signal) ::sigaction(SIGINT, &before_, nullptr);
  arrivals = nullptr;
  is_stopping_ = true;
  ::sem_post(&arrivals_);
  watcher_.join();
  ::sem_destroy(&arrivals_);
  async_.reset();
  has_arrived_ = false;
}

void SigintTrace::watch() {
  for (;;) {
    while (::sem_wait(&arrivals_) != 0 && errno == EINTR) {
    }
    if (is_stopping_) return;
    has_arrived_ = true;
    async_->send();
    realm_.isolate()->RequestInterrupt(
        [](v8::Isolate*, void* self) { static_cast<SigintTrace*>(self)->report(); }, this);
  }
}

// Called in an interrupt of JavaScript, or in the loop: whichever comes first.
void SigintTrace::report() {
  if (!has_arrived_.exchange(false)) return;
  v8::Isolate* const isolate = realm_.isolate();
  const v8::HandleScope handles(isolate);
  print("KEYBOARD_INTERRUPT: Script execution was interrupted by `SIGINT`\n" +
        describe(isolate, v8::StackTrace::CurrentStackTrace(isolate, kMostFramesRequested)));
  ::sigaction(SIGINT, &before_, nullptr);
  ::raise(SIGINT);
  install();  // The signal did not end the process: the program has a handler of its own.
}

}  // namespace rondo::runtime

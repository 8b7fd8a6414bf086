// internalBinding('coverage'): how often each block of the program's code ran, as V8 counts it.
#include <memory>
#include <string>
#include <string_view>

#include "runtime/engine/inspector.h"
#include "runtime/engine/realm.h"
#include "runtime/values/binding.h"
#include "runtime/values/values.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;
using runtime::Realm;

#if RONDO_HAS_INSPECTOR

using v8_inspector::StringView;

// A session of V8's inspector with the Profiler alone. Ends with the realm.
class Coverage final : private v8_inspector::Channel {
 public:
  explicit Coverage(Realm& realm) : realm_(realm) {}
  ~Coverage() override {
    if (inspector_ == nullptr) return;
    const v8::HandleScope handles(realm_.isolate());
    session_.reset();
    inspector_->contextDestroyed(realm_.context());
    inspector_.reset();
  }
  Coverage(const Coverage&) = delete;
  Coverage& operator=(const Coverage&) = delete;

  void start() {
    if (inspector_ == nullptr) {
      inspector_ = v8_inspector::V8Inspector::create(realm_.isolate(), client_.as_client());
      v8_inspector::V8ContextInfo info;
      info.context = realm_.context();
      inspector_->contextCreated(info);
      session_ = inspector_->connect(info.group, this, {}, v8_inspector::V8Inspector::kFullyTrusted,
                                     v8_inspector::V8Inspector::kNotWaitingForDebugger);
    }
    send(R"({"id":1,"method":"Profiler.enable"})");
    send(R"({"id":2,"method":"Profiler.startPreciseCoverage",)"
         R"("params":{"callCount":true,"detailed":true}})");
  }

  // The answer as JSON; empty if counting has not begun.
  v8::MaybeLocal<v8::String> take() {
    if (session_ == nullptr) return {};
    send(R"({"id":3,"method":"Profiler.takePreciseCoverage"})");
    if (answer_ == nullptr) return {};
    const std::unique_ptr<v8_inspector::StringBuffer> answer = std::move(answer_);
    const StringView text = answer->string();
    if (text.is_8_bit) {
      return v8::String::NewFromOneByte(realm_.isolate(),
                                        static_cast<const uint8_t*>(text.characters),
                                        v8::NewStringType::kNormal, static_cast<int>(text.length));
    }
    return v8::String::NewFromTwoByte(realm_.isolate(),
                                      static_cast<const uint16_t*>(text.characters),
                                      v8::NewStringType::kNormal, static_cast<int>(text.length));
  }

  void stop() {
    if (session_ != nullptr) send(R"({"id":4,"method":"Profiler.stopPreciseCoverage"})");
  }

 private:
  void sendResponse(int, std::unique_ptr<v8_inspector::StringBuffer> message) override {
    answer_ = std::move(message);
  }
  void sendNotification(std::unique_ptr<v8_inspector::StringBuffer>) override {}
  void flushProtocolNotifications() override {}

  void send(std::string_view message) {
    session_->dispatchProtocolMessage(
        {.is_8_bit = true, .length = message.size(), .characters = message.data()});
  }

  Realm& realm_;
  runtime::SilentInspectorClient client_;
  std::unique_ptr<v8_inspector::V8Inspector> inspector_;
  std::unique_ptr<v8_inspector::V8InspectorSession> session_;
  std::unique_ptr<v8_inspector::StringBuffer> answer_;
};

// start(): true if counting has begun.
void start(const Arguments& info) {
  Realm::of(info.GetIsolate()).state<Coverage>().start();
  info.GetReturnValue().Set(true);
}

// take(): the answer to Profiler.takePreciseCoverage as JSON, or undefined. Counters start again.
void take(const Arguments& info) {
  v8::Local<v8::String> text;
  if (Realm::of(info.GetIsolate()).state<Coverage>().take().ToLocal(&text)) {
    info.GetReturnValue().Set(text);
  }
}

// stop()
void stop(const Arguments& info) { Realm::of(info.GetIsolate()).state<Coverage>().stop(); }

#else

void start(const Arguments& info) { info.GetReturnValue().Set(false); }
void take(const Arguments&) {}
void stop(const Arguments&) {}

#endif

constexpr runtime::Method kMethods[] = {{"start", start}, {"take", take}, {"stop", stop}};

}  // namespace

extern const runtime::Binding coverage;
const runtime::Binding coverage{"coverage", kMethods};

}  // namespace rondo::bindings

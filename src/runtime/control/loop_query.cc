#include "runtime/control/loop_query.h"

#include <chrono>
#include <string_view>
#include <vector>

#include "base/control/blocked_call.h"
#include "base/encoding/json.h"
#include "runtime/engine/js_entry.h"
#include "runtime/values/values.h"

namespace rondo::runtime {

namespace {

using std::chrono::milliseconds;

// The time for the loop to answer before JavaScript is interrupted, then the time for the interrupt
// to answer before the query is given up.
constexpr milliseconds kForTheLoop{150};
constexpr milliseconds kForTheInterruption{400};

std::string stack_json(const std::vector<Place>& stack) {
  std::string result = "[";
  for (const Place& place : stack) {
    if (result.size() > 1) result += ',';
    result += R"({"function":)" + encoding::json_of_utf8(place.function) + R"(,"file":)" +
              encoding::json_of_utf8(place.file) + R"(,"line":)" + std::to_string(place.line) +
              R"(,"column":)" + std::to_string(place.column) + "}";
  }
  return result + "]";
}

}  // namespace

LoopQuery::Answer LoopQuery::ask(const std::string& query) {
  const std::lock_guard asking(asking_);
  std::unique_lock lock(mutex_);
  if (is_closed_) return {From::nobody, {}};
  query_ = query;
  state_ = State::received;
  const auto is_over = [this] { return is_closed_ || state_ == State::answered; };
  wake_();
  if (!answered_.wait_for(lock, kForTheLoop, is_over)) {
    lock.unlock();
    realm_.isolate()->RequestInterrupt(on_interrupt, this);
    lock.lock();
    if (!answered_.wait_for(lock, kForTheInterruption, is_over)) {
      state_ = State::idle;
      return {From::kernel, {}};
    }
  }
  state_ = State::idle;
  if (is_closed_) return {From::nobody, {}};
  return {From::loop, std::exchange(answer_, {})};
}

void LoopQuery::close() {
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
  }
  answered_.notify_all();
}

void LoopQuery::on_interrupt(v8::Isolate*, void* self) {
  static_cast<LoopQuery*>(self)->answer(true);
}

void LoopQuery::answer(bool is_interruption) {
  // An interrupt that was requested too late may run while JavaScript describes the loop.
  if (is_answering_) return;
  std::string query;
  {
    const std::lock_guard lock(mutex_);
    if (state_ != State::received) return;
    query = query_;
  }
  is_answering_ = true;
  std::string answer = describe(query, is_interruption);
  is_answering_ = false;
  {
    const std::lock_guard lock(mutex_);
    // The answer took too long: the query was given up, and possibly replaced by another one.
    if (state_ != State::received || query_ != query) return;
    answer_ = std::move(answer);
    state_ = State::answered;
  }
  answered_.notify_all();
}

std::string LoopQuery::describe(const std::string& query, bool is_interruption) {
  v8::Isolate* const isolate = realm_.isolate();
  const v8::HandleScope handles(isolate);
  const bool is_json = query != "metrics";
  std::string about;
  if (is_interruption && is_json) {
    const Watchdog::Current current = realm_.watchdog().current();
    constexpr size_t kMostFrames = 10;
    about = "\"blocked\":{\"age\":" + ms_json(current.age) +
            ",\"stack\":" + stack_json(stack_now(isolate, kMostFrames)) + "},";
  }
  if (query == "top") about += "\"slow\":" + slow_callbacks() + ",";
  // Does not use JsEntry: this call is not a callback of the program, and must not drain its
  // queues.
  const v8::TryCatch caught(isolate);
  v8::Local<v8::Value> argument = literal(isolate, query);
  v8::Local<v8::Value> result;
  if (!realm_.has_hooks() || realm_.is_exiting() || isolate->IsExecutionTerminating() ||
      !realm_.hook(Hook::describe_loop)
           ->Call(realm_.context(), v8::Undefined(isolate), 1, &argument)
           .ToLocal(&result) ||
      !result->IsString()) {
    return is_json ? about + "\"error\":\"the program is ending\"" : std::string();
  }
  return about + to_std(isolate, result);
}

std::string LoopQuery::slow_callbacks() {
  std::string result = "[";
  for (const Blocked& one : realm_.watchdog().take_slow()) {
    if (result.size() > 1) result += ',';
    result += "{\"duration\":" + ms_json(one.age) +
              ",\"isDrain\":" + (one.is_drain ? "true" : "false") +
              ",\"stack\":" + stack_json(one.stack) + "}";
  }
  return result + "]";
}

}  // namespace rondo::runtime

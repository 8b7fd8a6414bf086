// LoopQuery asks the loop's thread about itself, for other threads: what `rondo why`, `rondo top`
// and --metrics show. The loop's thread creates the answer: in a callback of the loop or, if
// JavaScript blocks the loop, in an interrupt.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

#include "base/callback.h"
#include "runtime/engine/realm.h"

namespace rondo::runtime {

class LoopQuery {
 public:
  enum class From : uint8_t {
    loop,    // `text` is the answer.
    kernel,  // The loop's thread is in native code that cannot be interrupted.
    nobody,  // The program is ending.
  };
  struct Answer {
    From from;
    std::string text;
  };

  // `wake` may be called from any thread, and makes the loop's thread call answer() soon. Thread:
  // the loop's.
  LoopQuery(Realm& realm, Callback<void()> wake) : realm_(realm), wake_(std::move(wake)) {}
  LoopQuery(const LoopQuery&) = delete;
  LoopQuery& operator=(const LoopQuery&) = delete;

  // One query at a time; other threads wait. The answer to `why` and `top` is the members of an
  // object of JSON without its braces, that to `metrics` is text of Prometheus. Thread: any but the
  // loop's.
  Answer ask(const std::string& query);
  // Pending and later queries get no answer. Idempotent. Thread: any.
  void close();
  // Answers the pending query, if there is one. Thread: the loop's, outside of JavaScript.
  void answer() { answer(false); }

 private:
  enum class State : uint8_t { idle, received, answered };

  static void on_interrupt(v8::Isolate* isolate, void* self);
  void answer(bool is_interruption);
  std::string describe(const std::string& query, bool is_interruption);
  std::string slow_callbacks();

  Realm& realm_;
  Callback<void()> wake_;

  std::mutex asking_;  // Held during a query.
  std::mutex mutex_;   // Guards the members below.
  std::condition_variable answered_;
  State state_ = State::idle;
  bool is_closed_ = false;
  std::string query_;
  std::string answer_;

  bool is_answering_ = false;  // Used by the loop's thread.
};

}  // namespace rondo::runtime

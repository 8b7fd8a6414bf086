#include "runtime/control/control.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>

#include "base/control/blocked_call.h"

namespace rondo::runtime {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// `top` reports callbacks that take at least this long. A lower limit would make the watchdog check
// too often.
constexpr milliseconds kSlow{5};

}  // namespace

Control::Control(Realm& realm, LoopQuery& queries)
    : realm_(realm),
      queries_(queries),
      loop_tid_(static_cast<int32_t>(::syscall(SYS_gettid))),
      socket_(*this) {}

void Control::watch(bool is_watched) {
  realm_.watchdog().collect(is_watched ? kSlow : milliseconds{0});
  answer(is_watched ? "watch" : "unwatch");
}

std::string Control::answer(const std::string& query) {
  const steady_clock::time_point received = steady_clock::now();
  const LoopQuery::Answer answer = queries_.ask(query);
  switch (answer.from) {
    case LoopQuery::From::nobody: return {};
    case LoopQuery::From::kernel: {
      // The loop's thread is in native code that V8 cannot interrupt.
      const std::string call = blocked_call_json(loop_tid_);
      return "{\"stuck\":{\"age\":" + ms_json(realm_.watchdog().current().age) +
             (call.empty() ? "" : "," + call) + "}}";
    }
    case LoopQuery::From::loop: break;
  }
  return "{\"waited\":" + ms_json(steady_clock::now() - received) + "," + answer.text + "}";
}

}  // namespace rondo::runtime

// uv_timer_t is a Timer that is started with libuv's arithmetic: whole milliseconds of the loop's
// time, so that equal due times run in the order of their starts.
#include "loop/phases/timers.h"

#include "uv/core/handle.h"
#include "uv/run/places.h"

using namespace rondo;
using namespace rondo::uv;

namespace {

Nanos delay_of(const Loop& loop, uint64_t due_ms) {
  constexpr uint64_t kMost = static_cast<uint64_t>(kForever.count()) / 1'000'000;
  const Nanos due = due_ms >= kMost ? kForever : Nanos(Millis(due_ms));
  return due == kForever ? due - loop.now() : std::max(due - loop.now(), Nanos::zero());
}

void fire(uv_timer_t* handle) {
  copy_state(handle);
  (void)uv_timer_again(handle);
  const FunctionScope scope(handle->loop, behind(handle)->id(), handle->timer_cb);
  handle->timer_cb(handle);
}

}  // namespace

extern "C" {

int uv_timer_init(uv_loop_t* loop, uv_timer_t* handle) {
  init_handle(loop, handle, UV_TIMER, new Timer(loop_of(loop)));
  handle->timer_cb = nullptr;
  handle->timeout = handle->repeat = 0;
  return 0;
}

int uv_timer_start(uv_timer_t* handle, uv_timer_cb cb, uint64_t timeout, uint64_t repeat) {
  if (is_closing(handle) || cb == nullptr) return UV_EINVAL;
  const uint64_t now = uv_now(handle->loop);
  handle->timer_cb = cb;
  handle->timeout = timeout > UINT64_MAX - now ? UINT64_MAX : now + timeout;
  handle->repeat = repeat;
  behind_as<Timer>(handle).start(delay_of(loop_of(handle->loop), handle->timeout),
                                 [handle](Timer&) { fire(handle); });
  copy_state(handle);
  if (Choice* const choice = loop_of(handle->loop).internals().choice(); choice != nullptr) {
    const FunctionPlace place(cb);
    choice->scheduled(behind(handle)->id(), "timer", {}, false);
  }
  return 0;
}

int uv_timer_stop(uv_timer_t* handle) {
  if (is_closing(handle)) return 0;
  behind_as<Timer>(handle).stop();
  copy_state(handle);
  return 0;
}

int uv_timer_again(uv_timer_t* handle) {
  if (handle->timer_cb == nullptr) return UV_EINVAL;
  if (handle->repeat == 0) return 0;
  return uv_timer_start(handle, handle->timer_cb, handle->repeat, handle->repeat);
}

void uv_timer_set_repeat(uv_timer_t* handle, uint64_t repeat) { handle->repeat = repeat; }
uint64_t uv_timer_get_repeat(const uv_timer_t* handle) { return handle->repeat; }

uint64_t uv_timer_get_due_in(const uv_timer_t* handle) {
  const uint64_t now = uv_now(handle->loop);
  return now >= handle->timeout ? 0 : handle->timeout - now;
}

}  // extern "C"

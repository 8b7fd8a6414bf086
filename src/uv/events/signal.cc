// uv_signal_t is a Signal.
#include "io/process/signal.h"

#include "uv/core/handle.h"

namespace rondo::uv {
namespace {

int start(uv_signal_t* handle, uv_signal_cb cb, int signum, bool is_oneshot) {
  if (is_closing(handle) || signum == 0) return UV_EINVAL;
  auto on_signal = [handle](Signal& signal, int caught) {
    handle->signum = signal.signum();
    copy_state(handle);
    const FunctionScope scope(handle->loop, signal.id(), handle->signal_cb);
    handle->signal_cb(handle, caught);
  };
  auto& signal = behind_as<Signal>(handle);
  const Result<void> started = is_oneshot ? signal.start_oneshot(signum, std::move(on_signal))
                                          : signal.start(signum, std::move(on_signal));
  if (!started) return -started.error().code;
  handle->signal_cb = cb;
  handle->signum = signum;
  copy_state(handle);
  return 0;
}

}  // namespace
}  // namespace rondo::uv

using namespace rondo;
using namespace rondo::uv;

extern "C" {

int uv_signal_init(uv_loop_t* loop, uv_signal_t* handle) {
  init_handle(loop, handle, UV_SIGNAL, new Signal(loop_of(loop)));
  handle->signal_cb = nullptr;
  handle->signum = 0;
  handle->caught_signals = handle->dispatched_signals = 0;
  return 0;
}

int uv_signal_start(uv_signal_t* handle, uv_signal_cb signal_cb, int signum) {
  return start(handle, signal_cb, signum, false);
}

int uv_signal_start_oneshot(uv_signal_t* handle, uv_signal_cb signal_cb, int signum) {
  return start(handle, signal_cb, signum, true);
}

int uv_signal_stop(uv_signal_t* handle) {
  if (is_closing(handle)) return 0;
  behind_as<Signal>(handle).stop();
  handle->signum = 0;
  copy_state(handle);
  return 0;
}

}  // extern "C"

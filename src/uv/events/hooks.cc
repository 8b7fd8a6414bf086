// uv_idle_t, uv_prepare_t and uv_check_t.
#include "loop/phases/check.h"
#include "loop/phases/idle.h"
#include "loop/phases/prepare.h"
#include "uv/core/handle.h"

namespace rondo::uv {
namespace {

// The newest hook runs first, as in libuv's lists.
template <class H, class Function>
int start(H* handle, Function H::*member, Function function) {
  if (has_flags(handle, kActive)) return 0;
  if (function == nullptr) return UV_EINVAL;
  handle->*member = function;
  behind_as<Hook>(handle).start_first([handle, member](Hook&) {
    const FunctionScope scope(handle->loop, behind(handle)->id(), handle->*member);
    (handle->*member)(handle);
  });
  copy_state(handle);
  return 0;
}

template <class H>
int stop(H* handle) {
  if (is_closing(handle)) return 0;
  behind_as<Hook>(handle).stop();
  copy_state(handle);
  return 0;
}

}  // namespace
}  // namespace rondo::uv

using namespace rondo;
using namespace rondo::uv;

extern "C" {

int uv_idle_init(uv_loop_t* loop, uv_idle_t* idle) {
  init_handle(loop, idle, UV_IDLE, new Idle(loop_of(loop)));
  idle->idle_cb = nullptr;
  return 0;
}
int uv_idle_start(uv_idle_t* idle, uv_idle_cb cb) { return start(idle, &uv_idle_t::idle_cb, cb); }
int uv_idle_stop(uv_idle_t* idle) { return stop(idle); }

int uv_prepare_init(uv_loop_t* loop, uv_prepare_t* prepare) {
  init_handle(loop, prepare, UV_PREPARE, new Prepare(loop_of(loop)));
  prepare->prepare_cb = nullptr;
  return 0;
}
int uv_prepare_start(uv_prepare_t* prepare, uv_prepare_cb cb) {
  return start(prepare, &uv_prepare_t::prepare_cb, cb);
}
int uv_prepare_stop(uv_prepare_t* prepare) { return stop(prepare); }

int uv_check_init(uv_loop_t* loop, uv_check_t* check) {
  init_handle(loop, check, UV_CHECK, new Check(loop_of(loop)));
  check->check_cb = nullptr;
  return 0;
}
int uv_check_start(uv_check_t* check, uv_check_cb cb) {
  return start(check, &uv_check_t::check_cb, cb);
}
int uv_check_stop(uv_check_t* check) { return stop(check); }

}  // extern "C"

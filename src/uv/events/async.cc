// uv_async_t is an Async. In libuv a program may still call uv_async_send() while and after it
// closes the handle, as long as the memory of the uv_async_t is valid. The Async is freed earlier,
// so uv_async_t::pending and a count of senders, in u.reserved[2], protect it.
#include "uv/events/async.h"

#include "loop/async.h"

#include <sched.h>

#include "uv/core/handle.h"
#include "uv/run/orders.h"

namespace rondo::uv {
namespace {

std::atomic_ref<int> pending_of(uv_async_t* handle) { return std::atomic_ref(handle->pending); }

std::atomic_ref<void*> senders_of(uv_async_t* handle) {
  return std::atomic_ref(handle->u.reserved[2]);
}

// The count is stored as a pointer, because the field is one.
void add_sender(uv_async_t* handle, intptr_t difference) {
  auto senders = senders_of(handle);
  void* count = senders.load();
  void* next = nullptr;
  do {
    next = reinterpret_cast<void*>(reinterpret_cast<intptr_t>(count) + difference);
  } while (!senders.compare_exchange_weak(count, next));
}

}  // namespace

void before_close(uv_async_t* handle) {
  (void)pending_of(handle).exchange(1);
  while (senders_of(handle).load() != nullptr) ::sched_yield();
}

// Without a ref it belongs to the machinery of the program, such as Node's tasks of V8: their order
// is not explored.
void after_ref_change(uv_async_t* handle, bool has_ref) {
  if (behind(handle) != nullptr) behind_as<Async>(handle).set_internal(!has_ref);
}

}  // namespace rondo::uv

using namespace rondo;
using namespace rondo::uv;

extern "C" {

int uv_async_init(uv_loop_t* loop, uv_async_t* async, uv_async_cb async_cb) {
  auto* const implementation = new Async(loop_of(loop), [async](Async& self) {
    (void)pending_of(async).exchange(0);
    const FunctionScope scope(async->loop, self.id(), async->async_cb);
    if (async->async_cb != nullptr) async->async_cb(async);
  });
  init_handle(loop, async, UV_ASYNC, implementation);
  async->async_cb = async_cb;
  async->pending = 0;
  return 0;
}

// Any thread, also a signal handler.
int uv_async_send(uv_async_t* async) {
  if (std::atomic_ref(async->pending).load(std::memory_order_relaxed) != 0) return 0;
  add_sender(async, 1);
  if (pending_of(async).exchange(1) == 0) {
    auto& own = behind_as<Async>(async);
    if (!own.is_internal()) note_message();
    own.send();
  }
  add_sender(async, -1);
  return 0;
}

}  // extern "C"

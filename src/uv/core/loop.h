// The Loop behind a uv_loop_t. The uv_loop_t is the program's memory; its `internal_fields` point
// to a LoopData. Fields that programs read (counts, time, stop_flag) are copied there. Thread: the
// loop's only.
#pragma once

#include <uv.h>

#include "loop/internals.h"
#include "uv/control/inspected.h"
#include "uv/trace/observer.h"

namespace rondo::uv {

struct LoopData {
  std::unique_ptr<Observer> observer;    // Null unless the program's functions are observed.
  std::unique_ptr<Loop> loop;            // Uses the observer.
  std::unique_ptr<Inspected> inspected;  // Null unless `rondo why` and `rondo top` are answered.

  Recording* recording() const { return observer == nullptr ? nullptr : observer->recording(); }
  bool measures_idle = false;  // UV_METRICS_IDLE_TIME.
  Nanos idle_before_measuring{0};
  // The part of uv_loop_t::active_handles that is ours: programs add to the field as well.
  unsigned counted_handles = 0;
  // Active check and idle handles with a ref. Others do not count for a chosen order: Node has a
  // check handle that runs its immediates, and an idle handle that is active while there are any.
  uint32_t counted_hooks = 0;
};

// True once the process has created a loop. Thread: any.
bool has_created_a_loop();

inline LoopData& data_of(const uv_loop_t* loop) {
  return *static_cast<LoopData*>(loop->internal_fields);
}
inline Loop& loop_of(const uv_loop_t* loop) { return *data_of(loop).loop; }

// The loop's time as libuv counts it: whole milliseconds.
inline uint64_t now_ms(const Loop& loop) {
  return static_cast<uint64_t>(std::chrono::duration_cast<Millis>(loop.now()).count());
}

// Requests count in both loops: libuv's field, and the Loop, which they keep alive.
inline void request_begins(uv_loop_t* loop) {
  ++loop->active_reqs.count;
  loop_of(loop).internals().begin_request();
}
inline void request_ends(uv_loop_t* loop) {
  --loop->active_reqs.count;
  loop_of(loop).internals().end_request();
}

// Around each call of a program's function inside a CallbackScope: updates the loop's public time,
// and reports the function to its observer. `function` may be null: then only the CallbackScope is
// traced.
class FunctionScope {
 public:
  template <class F>
  FunctionScope(uv_loop_t* loop, uint64_t id, F* function)
      : observer_(function == nullptr ? nullptr : data_of(loop).observer.get()), id_(id) {
    loop->time = now_ms(loop_of(loop));
    if (observer_ != nullptr) [[unlikely]]
      observer_->begin(id_, reinterpret_cast<uintptr_t>(function), loop_of(loop).now());
  }
  ~FunctionScope() {
    if (observer_ != nullptr) [[unlikely]]
      observer_->end(id_);
  }
  FunctionScope(const FunctionScope&) = delete;
  FunctionScope& operator=(const FunctionScope&) = delete;

 private:
  Observer* observer_;
  uint64_t id_;
};

// Around each other call of a program's function.
class Call {
 public:
  template <class F>
  Call(uv_loop_t* loop, const Handle& handle, F* function)
      : scope_(loop_of(loop), handle), function_(loop, handle.id(), function) {}
  template <class F>
  Call(uv_loop_t* loop, const Request& request, F* function)
      : scope_(loop_of(loop), request.id(), request.label()),
        function_(loop, request.id(), function) {}
  // Of a function that only lends a buffer for the callback that follows.
  Call(uv_loop_t* loop, const Handle& handle)
      : scope_(loop_of(loop), handle),
        function_(loop, handle.id(), static_cast<void (*)()>(nullptr)) {}

 private:
  CallbackScope scope_;
  FunctionScope function_;
};

// libuv's intrusive queues, which are members of its structures.
inline void queue_init(uv__queue& queue) { queue.next = queue.prev = &queue; }
inline bool queue_is_empty(const uv__queue& queue) { return queue.next == &queue; }
inline void queue_push_back(uv__queue& queue, uv__queue& item) {
  item.next = &queue;
  item.prev = queue.prev;
  queue.prev->next = &item;
  queue.prev = &item;
}
inline void queue_remove(uv__queue& item) {
  item.prev->next = item.next;
  item.next->prev = item.prev;
  queue_init(item);
}
// Moves all items of `from`, which may be empty, to `to`, which is not in use.
inline void queue_move(uv__queue& from, uv__queue& to) {
  queue_init(to);
  if (queue_is_empty(from)) return;
  to.next = from.next;
  to.prev = from.prev;
  to.next->prev = &to;
  to.prev->next = &to;
  queue_init(from);
}
// The structure that contains `link` as its member.
template <class T>
T* queue_owner(uv__queue* link, uv__queue T::*member) {
  const auto offset = reinterpret_cast<size_t>(&(static_cast<T*>(nullptr)->*member));
  return reinterpret_cast<T*>(reinterpret_cast<char*>(link) - offset);
}

}  // namespace rondo::uv

#include "uv/run/places.h"

#include "uv/core/handle.h"
#include "uv/run/js_place.h"
#include "uv/trace/symbols.h"

namespace rondo::uv {

thread_local uintptr_t FunctionPlace::current_ = 0;

namespace {

template <class F>
uintptr_t address_of(F* function) {
  return reinterpret_cast<uintptr_t>(function);
}

// The function that the loop calls for the handle; 0 if there is none.
uintptr_t function_of(const uv_handle_t* handle) {
  switch (handle->type) {
    case UV_TIMER: return address_of(reinterpret_cast<const uv_timer_t*>(handle)->timer_cb);
    case UV_ASYNC: return address_of(reinterpret_cast<const uv_async_t*>(handle)->async_cb);
    case UV_POLL: return address_of(reinterpret_cast<const uv_poll_t*>(handle)->poll_cb);
    case UV_PROCESS: return address_of(reinterpret_cast<const uv_process_t*>(handle)->exit_cb);
    case UV_SIGNAL: return address_of(reinterpret_cast<const uv_signal_t*>(handle)->signal_cb);
    case UV_FS_EVENT: return address_of(reinterpret_cast<const uv_fs_event_t*>(handle)->cb);
    case UV_UDP: return address_of(reinterpret_cast<const uv_udp_t*>(handle)->recv_cb);
    case UV_TCP:
    case UV_NAMED_PIPE:
    case UV_TTY: {
      const auto* const stream = reinterpret_cast<const uv_stream_t*>(handle);
      if (stream->connection_cb != nullptr) return address_of(stream->connection_cb);
      if (stream->connect_req != nullptr) return address_of(stream->connect_req->cb);
      return address_of(stream->read_cb);
    }
    default: return 0;
  }
}

std::string name_of(uintptr_t function) {
  return function == 0 ? "" : name_of_function(function).function + "()";
}

}  // namespace

std::string FunctionPlaces::here() const {
  std::string place = javascript_place();
  return place.empty() ? name_of(FunctionPlace::current()) : place;
}

void FunctionPlaces::made(const Handle& handle) {
  std::string place = javascript_place();
  if (place.empty()) {
    made_.erase(&handle);
  } else {
    made_[&handle] = std::move(place);
  }
}

std::string FunctionPlaces::maker_of(const Handle& handle) const {
  if (handle.kind() == HandleKind::timer) return "";  // Reported when it is started.
  if (const auto made = made_.find(&handle); made != made_.end()) return made->second;
  const uv_handle_t* const found = handle_of(handle);
  return found == nullptr ? "" : name_of(function_of(found));
}

}  // namespace rondo::uv

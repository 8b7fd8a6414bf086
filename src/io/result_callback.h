// Callback of a request that ends with a value: it gets the value, or only the request, for
// coroutines that read the value from there and so need no room for it.
#pragma once

#include <type_traits>
#include <utility>

#include "base/callback.h"
#include "base/result.h"

namespace rondo {

// Constructed from a function of (Request&, Result<T>) or of (Request&); never allocates.
template <class Request, class T>
class ResultCallback {
 public:
  ResultCallback() = default;
  ResultCallback(std::nullptr_t) {}  // NOLINT: implicit, as Callback's
  template <class F>
    requires(std::is_invocable_v<std::remove_cvref_t<F>&, Request&>)
  ResultCallback(F&& function)  // NOLINT: implicit, so that a lambda is a callback
      : function_(std::forward<F>(function)) {}
  template <class F>
    requires(std::is_invocable_v<std::remove_cvref_t<F>&, Request&, Result<T>>)
  ResultCallback(F&& function)  // NOLINT: implicit, so that a lambda is a callback
      : function_([wrapped = std::forward<F>(function)](Request& request) mutable {
          wrapped(request, request.take_result());
        }) {}

  explicit operator bool() const { return static_cast<bool>(function_); }
  void operator()(Request& request) { function_(request); }

 private:
  Callback<void(Request&)> function_;
};

}  // namespace rondo

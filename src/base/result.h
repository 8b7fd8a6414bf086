// Result<T> is a value or an Error, for external failures such as a missing file or a connection
// reset. Has the interface of std::expected, which g++ 12 provides only in C++23.
#pragma once

#include <cerrno>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

#include "base/assert.h"

namespace rondo {

// A failed system call: the errno (positive) and the name of the call, which must be a string
// literal. Name look-ups store getaddrinfo's EAI_* code in `code`, negative as in <netdb.h>.
struct Error {
  int code = 0;
  const char* syscall = "";

  static Error last(const char* syscall) { return Error{errno, syscall}; }

  const char* name() const;     // "ECONNREFUSED"; "UNKNOWN" for a code without a name.
  std::string message() const;  // "connect: connection refused (ECONNREFUSED)"

  friend bool operator==(const Error& left, const Error& right) { return left.code == right.code; }
};

template <class T>
class [[nodiscard]] Result {
 public:
  using value_type = T;

  Result(T value) : has_value_(true) { new (&value_) T(std::move(value)); }  // NOLINT: implicit
  Result(Error error) : error_(error), has_value_(false) {}                  // NOLINT: implicit
  Result(Result&& other) noexcept : has_value_(other.has_value_) { take(std::move(other)); }
  Result(const Result& other) requires std::is_copy_constructible_v<T>
      : has_value_(other.has_value_) {
    if (has_value_) {
      new (&value_) T(other.value_);
    } else {
      error_ = other.error_;
    }
  }
  Result& operator=(Result&& other) noexcept {
    if (this != &other) {
      destroy();
      has_value_ = other.has_value_;
      take(std::move(other));
    }
    return *this;
  }
  ~Result() { destroy(); }

  explicit operator bool() const { return has_value_; }
  bool has_value() const { return has_value_; }
  T& value() & { return RONDO_ASSERT(has_value_), value_; }
  const T& value() const& { return RONDO_ASSERT(has_value_), value_; }
  T&& value() && { return RONDO_ASSERT(has_value_), std::move(value_); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  Error error() const { return RONDO_ASSERT(!has_value_), error_; }
  template <class U>
  T value_or(U&& other) const& {
    return has_value_ ? value_ : static_cast<T>(std::forward<U>(other));
  }

 private:
  void take(Result&& other) {
    if (has_value_) {
      new (&value_) T(std::move(other.value_));
    } else {
      error_ = other.error_;
    }
  }
  void destroy() {
    if (has_value_) value_.~T();
  }

  union {
    T value_;
    Error error_;
  };
  bool has_value_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  using value_type = void;

  Result() = default;
  Result(Error error)  // NOLINT: implicit
      : code_(error.code), has_value_(false), syscall_(error.syscall) {}

  explicit operator bool() const { return has_value_; }
  bool has_value() const { return has_value_; }
  void value() const { RONDO_ASSERT(has_value_); }
  Error error() const { return RONDO_ASSERT(!has_value_), Error{code_, syscall_}; }

 private:
  // The members of an Error, stored separately so that the Result fits into the two registers in
  // which it is passed.
  int code_ = 0;
  bool has_value_ = true;
  const char* syscall_ = "";
};
static_assert(sizeof(Result<void>) == 16);

}  // namespace rondo

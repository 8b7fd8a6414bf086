// For the tests of file operations: runs one operation and waits for it.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "io/fs/fs.h"
#include "loop/loop.h"

namespace rondo {

// Starts `operation` of Fs with a new request, runs the loop to its end, and returns the callback's
// result. Fails the test if the callback runs inside the call.
template <class T, class Operation, class... Args>
Result<T> await_fs(Loop& loop, Operation operation, Args... args) {
  FsRequest<T> request(loop);
  std::optional<Result<T>> outcome;
  int calls = 0;
  (Fs(loop).*operation)(request, args..., [&](FsRequest<T>&, Result<T> result) {
    ++calls;
    EXPECT_EQ(loop.phase(), Phase::poll);
    outcome.emplace(std::move(result));
  });
  EXPECT_EQ(calls, 0) << "called back from inside the call";
  EXPECT_TRUE(request.is_pending());
  loop.run();
  EXPECT_EQ(calls, 1);
  EXPECT_FALSE(request.is_pending());
  return std::move(*outcome);
}

inline std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}
inline std::span<std::byte> room_in(std::string& text) {
  return std::as_writable_bytes(std::span(text));
}

template <class T>
void expect_error(const Result<T>& result, int code, std::string_view syscall) {
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().name(), std::string_view(Error{code}.name()));
  EXPECT_EQ(result.error().syscall, syscall);
}

}  // namespace rondo

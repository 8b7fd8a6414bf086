// The system call that a thread of this process is in, as the kernel reports it. Thread: any.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace rondo {

// Members of an object of JSON: `"call":"read","fd":17,"path":"/tmp/queue"`; empty if the thread is
// not in a system call, or the kernel does not say so.
std::string blocked_call_json(int32_t tid);
// Milliseconds, with a fraction.
std::string ms_json(std::chrono::nanoseconds duration);

}  // namespace rondo

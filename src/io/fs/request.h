// FsRequest<T> is one file operation in flight that ends with a T: size_t for a count of bytes, int
// for a descriptor, Stat, std::string, std::vector<Dirent>, ..., or void. Fs (io/fs/fs.h) starts
// them.
//
// The caller owns the request, best as a member or in a coroutine's frame. The request must not
// move until its callback begins. From then on it may be reused or freed. Phase: poll. Thread: the
// loop's only.
#pragma once

#include <sys/uio.h>

#include <atomic>
#include <cstddef>
#include <ctime>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "io/fs/types.h"
#include "io/result_callback.h"
#include "loop/request.h"
#include "loop/target.h"

namespace rondo {
enum class FsOp : uint8_t;  // See io/fs/operations.h.
namespace fs_sync {
class MkdirAll;
}

// The base class of all file operations. They run on the ring if the poller has one and the ring is
// faster (docs/adr/io/0007), otherwise on a worker of the pool.
class FsOperation : public PoolRequest {
 public:
  // Cancels the operation: if it has not begun, its callback gets ECANCELED. EBUSY: it has already
  // begun. On the ring, success only means that cancellation was requested: if the kernel completes
  // the operation first, the callback gets its result.
  Result<void> cancel() final;

  // The files that an operation accesses, by path or by descriptor.
  static Touch touch_of(FsOp op, std::string_view path, std::string_view second, int fd, int flags);

 protected:
  explicit FsOperation(Loop& loop);

  void submit_to_ring(const OpArgs& args);
  virtual void ring_completed(int32_t result) = 0;
  // Submits the next part of an operation that stays pending.
  void resubmit_to_ring(const OpArgs& args);
  bool is_giving_up() const { return is_giving_up_; }

  // Counts the loop's operations in flight on the ring and the pool. Callbacks must run in the
  // order of Node's pool (FS-01), so the counts decide where the next operation may run.
  struct Counters;
  Counters& counters() const;
  void leave_ring();

 private:
  struct RingOp final : Op {
    FsOperation* owner;
  };
  RingOp op_;
  bool is_giving_up_ = false;
  bool is_on_ring_ = false;
};

// The arguments of operations on data, without memory for paths.
struct FsDataArgs {
  int fd = -1;
  int out_fd = -1;
  void* data = nullptr;  // Bytes, or an array of iovec.
  size_t size = 0;       // The number of bytes or iovecs.
  int64_t offset = -1;
  size_t done = 0;  // The part of `size` that is done already.

  std::span<std::byte> rest() const { return {static_cast<std::byte*>(data) + done, size - done}; }
  std::span<const iovec> parts() const { return {static_cast<const iovec*>(data), size}; }
  int64_t rest_offset() const { return offset < 0 ? offset : offset + static_cast<int64_t>(done); }
  bool is_valid() const { return true; }
};

struct FsPathArgs {
  std::string paths;     // One, or two with a NUL byte in between.
  size_t second_at = 0;  // The start of the second.
  int fd = -1;
  int flags = 0;
  uint32_t mode = 0;  // Or a user id.
  uint32_t gid = 0;
  int64_t length = 0;
  timespec atime{};
  timespec mtime{};
  std::span<const std::byte> data;
  FileBytes room;                           // For a file that is read as a whole.
  std::atomic<int>* handed_over = nullptr;  // The counter of shared operations, if this is one.
  uint32_t more_trips = 0;                  // Further trips of Node through the pool's queue.
  // The state of mkdir_all() between its steps.
  struct DeleteSteps {
    void operator()(fs_sync::MkdirAll* done) const;
  };
  std::unique_ptr<fs_sync::MkdirAll, DeleteSteps> steps;
  bool is_valid_path = true;

  // Copies the path. If it contains a NUL byte, the operation ends with EINVAL.
  void set_path(std::string_view path);
  void set_paths(std::string_view first, std::string_view second);
  const char* path() const { return paths.c_str(); }
  const char* second() const { return paths.c_str() + second_at; }
  bool is_valid() const { return is_valid_path; }
};

template <class T>
class FsRequest final : public FsOperation {
 public:
  using value_type = T;
  // A function of (FsRequest<T>&, Result<T>) or of (FsRequest<T>&).
  using OnDone = ResultCallback<FsRequest, T>;

  explicit FsRequest(Loop& loop) : FsOperation(loop) {}

  // The result, after the operation. Values that own memory are moved out.
  Result<T> take_result() { return std::move(result_); }
  const Result<T>& result() const { return result_; }
  // The paths of the last operation. Empty for operations on data.
  std::string_view path() const {
    if constexpr (kMovesData)
      return {};
    else
      return args_.path();
  }
  std::string_view subject() const override { return path(); }
  int descriptor() const override { return args_.fd; }
  std::string_view second_path() const {
    if constexpr (kMovesData)
      return {};
    else
      return args_.second();
  }
  Touch touches() const override;
  std::string result_text() const override;

 private:
  friend class Fs;
  static constexpr bool kMovesData = std::is_same_v<T, size_t>;
  using Args = std::conditional_t<kMovesData, FsDataArgs, FsPathArgs>;

  // The constant description of an operation.
  struct Kind {
    FsOp op;
    Result<T> (*run)(Args&);       // On a worker.
    bool is_whole = false;         // Continues after a short count.
    bool is_vector = false;        // Its data is an array of iovec.
    bool may_be_cached = false;    // A read that the page cache may answer.
    bool is_cached_alone = false;  // run_cached() is only faster if nothing else is in flight.
    bool is_shared = false;        // With many requests in flight, workers take some.
    // Tries to run without waiting for a disk. Returns true if the operation is complete. Otherwise
    // run() continues with the state in the arguments, or abandon() frees it.
    bool (*run_cached)(Args&, Result<T>&) = nullptr;
    void (*abandon)(Args&) = nullptr;
  };

  Args& prepare();  // Asserts that no operation is in flight.
  void start(const Kind& kind, OnDone on_done);
  OpArgs ring_args() const;
  bool runs_on_ring() const;
  bool is_known_as_regular() const;
  bool is_done_at_once();
  bool is_handed_over();
  void take_back();
  void work() override;
  void worked(Result<void> outcome) override;
  void ring_completed(int32_t result) override;
  void fail(int code);
  void settle();

  const Kind* kind_ = nullptr;
  bool is_shared_ = false;  // Counted among Counters::shared.
  Args args_;
  Result<T> result_ = Error{EINVAL, "fs"};
  OnDone on_done_;
};

}  // namespace rondo

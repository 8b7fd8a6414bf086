#include "io/fs/request.h"

#include <fcntl.h>
#include <linux/io_uring.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <span>
#include <utility>
#include <vector>

#include "base/file_name.h"
#include "base/hash.h"
#include "io/fs/operations.h"
#include "io/fs/sync.h"
#include "loop/internals.h"

namespace rondo {
namespace {

// A cached read is copied by the thread that submits it, on the ring, too. Larger copies would
// block the loop for longer than a worker costs.
constexpr size_t kMostAtOnce = size_t{64} << 10;
constexpr size_t kMostOnRing = size_t{128} << 10;

// From kMany requests in flight on, workers share the work that the loop's thread could do
// synchronously. They get another request while they have fewer than kMostHandedOver.
constexpr size_t kMany = 16;
constexpr int kMostHandedOver = 4;

bool is_regular(int fd) {
  struct stat status {};
  return ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

bool is_open_for_writing(int fd) {
  const int flags = ::fcntl(fd, F_GETFL);
  return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

size_t total_size(std::span<const iovec> parts) {
  size_t total = 0;
  for (const iovec& part : parts) {
    // The kernel rejects sizes that overflow.
    if (__builtin_add_overflow(total, part.iov_len, &total)) return SIZE_MAX;
  }
  return total;
}

}  // namespace

// Counts the file operations of a loop in flight.
struct FsOperation::Counters final : Service {
  explicit Counters(Loop&) {}
  // In the child, operations in flight do not complete.
  Result<void> reopen_after_fork() override {
    on_ring = 0;
    shared = 0;
    handed_over.store(0, std::memory_order_relaxed);
    return {};
  }

  size_t on_ring = 0;
  size_t shared = 0;      // Whole files on the pool that the loop's thread could have read.
  int last_regular = -1;  // The last descriptor known to be a regular file.
  // Whole files that workers have not finished. Incremented by the loop's thread, decremented by
  // workers.
  std::atomic<int> handed_over = 0;
};

FsOperation::Counters& FsOperation::counters() const { return internals().service<Counters>(); }

FsOperation::FsOperation(Loop& loop) : PoolRequest(loop, "fs") {
  op_.owner = this;
  op_.is_request = true;
  op_.fn = [](Target& target, int32_t result, uint32_t) {
    static_cast<RingOp&>(target).owner->ring_completed(result);
  };
}

void FsOperation::submit_to_ring(const OpArgs& args) {
  begin();
  ++counters().on_ring;
  is_on_ring_ = true;
  is_giving_up_ = false;
  internals().mailbox().flush_writes();  // Results that have already arrived come first (FS-01).
  resubmit_to_ring(args);
}

void FsOperation::leave_ring() {
  if (std::exchange(is_on_ring_, false)) --counters().on_ring;
}

void FsOperation::resubmit_to_ring(const OpArgs& args) {
  internals().operation_submitted(op_, id(), label());
  internals().poller().submit(op_, args);
}

Result<void> FsOperation::cancel() {
  if (!op_.is_in_flight()) return PoolRequest::cancel();
  if (is_giving_up_) return Error{EBUSY, "cancel"};
  is_giving_up_ = true;
  internals().poller().cancel(op_);
  return {};
}

void FsPathArgs::set_path(std::string_view path) {
  paths.assign(path);
  is_valid_path = path.find('\0') == path.npos;
}

void FsPathArgs::set_paths(std::string_view first, std::string_view second) {
  paths.reserve(first.size() + 1 + second.size());
  paths.assign(first);
  paths += '\0';
  second_at = paths.size();
  paths += second;
  is_valid_path = first.find('\0') == first.npos && second.find('\0') == second.npos;
}

Touch FsOperation::touch_of(FsOp op, std::string_view path, std::string_view second, int fd,
                            int flags) {
  Touch touch;
  const FsOperationRow& row = row_of(op);
  if (row.access == FsAccess::closes) return touch;
  // The arguments of an operation on a descriptor may have a path that is left from an earlier use.
  if (path.empty() || row.target == FsTarget::descriptor) {
    touch.first = name_of_descriptor(fd);
  } else {
    touch.first = absolute_path(path);
    if (row.target == FsTarget::two_paths) touch.second = absolute_path(second);
  }
  touch.writes = changes_any_file(op, flags);
  return touch;
}

template <class T>
Touch FsRequest<T>::touches() const {
  if constexpr (kMovesData) {
    return touch_of(kind_->op, {}, {}, args_.out_fd >= 0 ? args_.out_fd : args_.fd, 0);
  } else {
    return touch_of(kind_->op, args_.path(), args_.second(), args_.fd, args_.flags);
  }
}

namespace {

std::string text_of(std::string_view bytes) {
  Fnv1a hash;
  hash.add(bytes);
  char text[48];
  std::snprintf(text, sizeof text, "%zu bytes %016llx", bytes.size(),
                static_cast<unsigned long long>(hash.value()));
  return text;
}

}  // namespace

// Values that differ between runs, such as times and inode numbers, are left out.
template <class T>
std::string FsRequest<T>::result_text() const {
  if constexpr (std::is_same_v<T, TempFile>) {
    return result_ ? "ok" : result_.error().message();
  } else {
    if (!result_) return result_.error().message();
    if constexpr (kMovesData) {
      const bool is_read = kind_->op == FsOp::read;
      if (!is_read) return std::to_string(*result_) + " bytes";
      return text_of({static_cast<const char*>(args_.data), std::min(*result_, args_.size)});
    } else if constexpr (std::is_same_v<T, FileBytes>) {
      return text_of({reinterpret_cast<const char*>(result_->data()), result_->size()});
    } else if constexpr (std::is_same_v<T, std::string>) {
      return text_of(*result_);
    } else if constexpr (std::is_same_v<T, Stat>) {
      return std::to_string(result_->size) + " bytes, mode " + std::to_string(result_->mode);
    } else if constexpr (std::is_same_v<T, std::vector<Dirent>>) {
      std::string names;
      for (const Dirent& entry : *result_) names += entry.name + '/';
      return text_of(names);
    } else {
      return "ok";
    }
  }
}

template <class T>
typename FsRequest<T>::Args& FsRequest<T>::prepare() {
  RONDO_ASSERT(!is_pending());
  if constexpr (!kMovesData) args_.is_valid_path = true;  // An operation without a path is valid.
  return args_;
}

template <class T>
void FsRequest<T>::start(const Kind& kind, OnDone on_done) {
  kind_ = &kind;
  on_done_ = std::move(on_done);
  set_label(row_of(kind.op).label);
  if (!args_.is_valid()) {
    result_ = Error{EINVAL, row_of(kind.op).syscall};
    submit_finished();
  } else if (is_done_at_once()) {
    submit_finished();
  } else if (runs_on_ring()) {
    submit_to_ring(ring_args());
  } else {
    submit_to_pool();
  }
}

// True if the operation should run on the ring rather than on a worker.
//
// Writes to regular files do not: on most file systems the ring uses a kernel thread, which sleeps
// between two writes. A worker spins for a moment before it sleeps, so it is faster.
//
// Closes of files open for writing do not: the ring closes files on the loop's thread, and some
// file systems then start to write dirty data to the disk. ext4 does if the file was truncated when
// it was opened.
//
// Operations on the ring replace idle workers, so no job may be waiting for a worker, and one
// worker is left for later jobs. A pool of one worker runs all operations in the order of their
// start.
template <class T>
bool FsRequest<T>::runs_on_ring() const {
  if (row_of(kind_->op).opcode == IORING_OP_NOP) return false;
  if (!internals().poller().has_operations()) return false;
  if (internals().choice() != nullptr) return false;
  if (internals().jobs_in_flight() > 0 || counters().on_ring + 1 >= internals().pool().size())
    return false;
  if constexpr (kMovesData) {
    if (row_of(kind_->op).access == FsAccess::writes && is_known_as_regular()) return false;
    if (kind_->is_vector && args_.size > fs_sync::kMostParts) return false;
    return (kind_->is_vector ? total_size(args_.parts()) : args_.size) <= kMostOnRing;
  }
  return kind_->op != FsOp::close || !is_open_for_writing(args_.fd);
}

// Remembers the last result, because streams write to the same file repeatedly. If the descriptor
// has been reused for another file, the only effect is that a worker writes instead of the ring.
template <class T>
bool FsRequest<T>::is_known_as_regular() const {
  int& last = counters().last_regular;
  if (last != args_.fd && is_regular(args_.fd)) last = args_.fd;
  return last == args_.fd;
}

template <class T>
OpArgs FsRequest<T>::ring_args() const {
  OpArgs out;
  out.opcode = row_of(kind_->op).opcode;
  out.op_flags = row_of(kind_->op).ring_flags;
  out.fd = args_.fd;
  if constexpr (kMovesData) {
    const bool is_vector = kind_->is_vector;
    const size_t count =
        is_vector ? std::min(args_.size, fs_sync::kMostParts) : args_.rest().size();
    out.addr = reinterpret_cast<uint64_t>(is_vector ? args_.data : args_.rest().data());
    out.len = static_cast<uint32_t>(count);
    out.off = static_cast<uint64_t>(args_.rest_offset());
  }
  return out;
}

// Reads data in the page cache synchronously, which takes less time than a hand-over to a worker.
// The callback still runs in poll. The ring is faster for several reads together, so a read joins
// those in flight there.
template <class T>
bool FsRequest<T>::is_done_at_once() {
  if (internals().choice() != nullptr)
    return false;  // The Choice decides when the operation completes.
  // Operations on workers or the ring were started earlier, so Node would report them first.
  const Counters& others = counters();
  if (internals().jobs_in_flight() > others.shared || others.on_ring > 0) return false;
  if constexpr (kMovesData) {
    if (!kind_->may_be_cached || args_.size > kMostAtOnce) return false;
    result_ = fs_sync::read_cached(args_.fd, args_.rest(), args_.offset, &args_.done);
    if (result_) return true;
    const int code = result_.error().code;
    return code != EAGAIN && code != EOPNOTSUPP;
  }
  if (kind_->run_cached == nullptr) return false;
  if (kind_->is_cached_alone && loop().active_requests() > 0) return false;
  if (kind_->is_shared && is_handed_over()) return false;
  return kind_->run_cached(args_, result_);
}

// Decides whether a worker runs the operation. With many requests in flight a second processor is
// worth the cost of the hand-over. Workers get just enough to stay busy until the loop's thread
// hands over more, and the loop's thread does the rest itself, so that both finish at about the
// same time.
template <class T>
bool FsRequest<T>::is_handed_over() {
  if constexpr (kMovesData) {
    return false;
  } else {
    static const bool kIsAlone = usable_processors() == 1;
    if (kIsAlone || loop().active_requests() < kMany || loop().clock().is_virtual()) return false;
    if (internals().pool().size() == 1)
      return false;  // A single worker would complete them in the order of their start.
    Counters& others = counters();
    if (others.handed_over.load(std::memory_order_relaxed) >= kMostHandedOver) return false;
    others.handed_over.fetch_add(1, std::memory_order_relaxed);
    ++others.shared;
    args_.handed_over = &others.handed_over;
    is_shared_ = true;
    return true;
  }
}

template <class T>
void FsRequest<T>::work() {
  result_ = kind_->run(args_);
  if constexpr (!kMovesData) {
    add_trips(std::exchange(args_.more_trips, 0));
    if (args_.steps) return work_again();
  }
  take_back();
}

template <class T>
void FsRequest<T>::take_back() {
  if constexpr (!kMovesData) {
    if (args_.handed_over == nullptr) return;
    std::exchange(args_.handed_over, nullptr)->fetch_sub(1, std::memory_order_relaxed);
  }
}

template <class T>
void FsRequest<T>::worked(Result<void> outcome) {
  if (!outcome) {
    take_back();
    if (kind_->abandon != nullptr) kind_->abandon(args_);
    fail(outcome.error().code);
  }
  settle();
}

template <class T>
void FsRequest<T>::fail(int code) {
  result_ = Error{code, row_of(kind_->op).syscall};
  if constexpr (kMovesData) {
    // If the rest fails, the cached first part is still a valid short read.
    if (kind_->may_be_cached && args_.done > 0) result_ = args_.done;
  }
}

template <class T>
void FsRequest<T>::ring_completed(int32_t result) {
  // The descriptor is closed even if the call reports one of these errors: see fs_sync::close().
  if (kind_->op == FsOp::close && (result == -EINTR || result == -EINPROGRESS)) result = 0;
  if (result == -EINTR && !is_giving_up()) return resubmit_to_ring(ring_args());
  if (result < 0) {
    fail(-result);
  } else {
    if constexpr (kMovesData) {
      args_.done += static_cast<size_t>(result);
      const bool is_short = kind_->is_whole && args_.done < args_.size;
      if (is_short && result > 0 && !is_giving_up()) return resubmit_to_ring(ring_args());
      result_ = args_.done;
      if (is_short) result_ = Error{is_giving_up() ? ECANCELED : EIO, row_of(kind_->op).syscall};
    }
    if constexpr (std::is_void_v<T>) result_ = {};
  }
  end();
  settle();
}

template <class T>
void FsRequest<T>::settle() {
  leave_ring();
  if (std::exchange(is_shared_, false)) --counters().shared;
  CallbackScope scope(loop(), id(), label());
  // Moved to a local, because the callback may restart or free this request.
  OnDone on_done = std::move(on_done_);
  if (on_done) on_done(*this);
}

template class FsRequest<void>;
template class FsRequest<int>;
template class FsRequest<size_t>;
template class FsRequest<Stat>;
template class FsRequest<StatFs>;
template class FsRequest<TempFile>;
template class FsRequest<std::string>;
template class FsRequest<std::vector<Dirent>>;
template class FsRequest<FileBytes>;

}  // namespace rondo

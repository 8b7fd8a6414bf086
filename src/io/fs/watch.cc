#include "io/fs/watch.h"

#include <sys/epoll.h>
#include <sys/inotify.h>

#include <string>
#include <unordered_map>

#include "base/fd.h"
#include "base/sys.h"
#include "loop/internals.h"

namespace rondo {
namespace {

// Room for some hundred events. The kernel only writes whole events, each of at most a header and a
// name of 255 bytes.
constexpr size_t kBufferSize = 16 * 1024;
// Limits the reads per event, because a busy directory must not block the loop.
constexpr int kMostReadsPerEvent = 8;

constexpr uint32_t kChangeBits = IN_ATTRIB | IN_MODIFY;
constexpr uint32_t kRenameBits =
    IN_CREATE | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF | IN_MOVED_FROM | IN_MOVED_TO;

}  // namespace

// A file that at least one handle watches. inotify has one watch descriptor per file, regardless of
// its name, so the handles of a file share it, and the last one removes it.
struct FsWatched {
  List<FsWatch, &FsWatch::watched_link_> handles;
  int descriptor;    // -1 once the kernel has removed it, because the file is gone.
  size_t users = 0;  // Handles, and a delivery in progress. Freed at 0.
};

class FsWatchService final : public Service {
 public:
  explicit FsWatchService(Loop& loop);
  ~FsWatchService() override;

  Result<void> add(FsWatch& handle, std::string_view path);
  void remove(FsWatch& handle);
  Result<void> reopen_after_fork() override;

 private:
  using All = List<FsWatch, &FsWatch::service_link_>;
  struct InotifyWatch final : Watch {
    FsWatchService* owner;
  };
  Result<void> open();
  Result<FsWatched*> watch_file(const char* path);
  void let_go(FsWatched& watched);

  void ready();
  void fail(Error error);
  void drop_descriptor();
  void deliver(const inotify_event& event);
  void report_all(Error error);
  void report(FsWatch& handle, Result<FsWatch::Change> change);

  Loop& loop_;
  Fd inotify_;
  InotifyWatch watch_;
  std::unordered_map<int, FsWatched*> by_descriptor_;
  All handles_;
  uint64_t epoch_ = 0;  // Counts buffers of events.
};

FsWatchService::FsWatchService(Loop& loop) : loop_(loop) {
  watch_.owner = this;
  watch_.source = this;
  watch_.fn = [](Target& target, int32_t result, uint32_t) {
    FsWatchService& service = *static_cast<InotifyWatch&>(target).owner;
    if (result < 0) return service.fail(Error{-result, "inotify"});
    service.ready();
  };
}

FsWatchService::~FsWatchService() {
  // Stops the remaining handles: the loop reports or closes them later.
  while (FsWatch* handle = handles_.front()) handle->stop();
  loop_.internals().unwatch(watch_);
}

// As in libuv, the descriptor stays open and watched until the loop ends, so that a later FsWatch
// has the same position among the ready descriptors (POL-10).
Result<void> FsWatchService::open() {
  if (inotify_) return {};
  inotify_ = Fd(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  if (!inotify_) return Error::last("inotify_init");
  watch_.fd = inotify_.get();
  Result<void> watched = loop_.internals().poller().watch(watch_, EPOLLIN);
  if (!watched) inotify_.reset();
  return watched;
}

Result<FsWatched*> FsWatchService::watch_file(const char* path) {
  const int descriptor = ::inotify_add_watch(inotify_.get(), path, kChangeBits | kRenameBits);
  if (descriptor < 0) return Error::last("inotify_add_watch");
  FsWatched*& watched = by_descriptor_[descriptor];
  if (watched == nullptr) {
    watched = new FsWatched;
    watched->descriptor = descriptor;
  }
  ++watched->users;
  return watched;
}

void FsWatchService::let_go(FsWatched& watched) {
  if (--watched.users > 0) return;
  if (watched.descriptor >= 0) {
    by_descriptor_.erase(watched.descriptor);
    // Fails if the file is gone and that event has not been read yet. Queued events of this watch
    // descriptor are ignored: the kernel does not reuse its number.
    ::inotify_rm_watch(inotify_.get(), watched.descriptor);
  }
  delete &watched;
}

Result<void> FsWatchService::add(FsWatch& handle, std::string_view path) {
  if (Result<void> opened = open(); !opened) return opened;
  std::string owned(path);
  Result<FsWatched*> watched = watch_file(owned.c_str());
  if (!watched) return watched.error();
  if (handle.service_ != nullptr) remove(handle);
  handle.service_ = this;
  handle.watched_ = *watched;
  handle.path_ = std::move(owned);
  handle.epoch_ = epoch_;
  (*watched)->handles.push_back(handle);
  handles_.push_back(handle);
  return {};
}

void FsWatchService::remove(FsWatch& handle) {
  FsWatched& watched = *handle.watched_;
  handle.watched_link_.unlink();
  handle.service_link_.unlink();
  handle.watched_ = nullptr;
  handle.service_ = nullptr;
  handle.path_.clear();
  let_go(watched);
}

void FsWatchService::ready() {
  alignas(inotify_event) char buffer[kBufferSize];
  for (int reads = 0; reads < kMostReadsPerEvent; ++reads) {
    const ssize_t size = sys::read(inotify_.get(), buffer, sizeof buffer);
    ++epoch_;
    if (size < 0 && errno != EAGAIN) report_all(Error::last("inotify"));
    if (size <= 0) break;
    for (const char* at = buffer; at < buffer + size;) {
      const auto& event = *reinterpret_cast<const inotify_event*>(at);
      at += sizeof event + event.len;
      deliver(event);
    }
  }
}

// Called if the poller cannot watch the inotify descriptor, so that no change would be reported.
// Starting a handle later tries again.
void FsWatchService::fail(Error error) {
  drop_descriptor();
  All turn = handles_.take();
  while (FsWatch* handle = turn.front()) {
    handle->stop();
    CallbackScope scope(loop_, *handle);
    handle->on_change_.call_replaceable(*handle, error);
  }
}

// Closes the inotify descriptor. The files count as deleted, because they are no longer watched.
void FsWatchService::drop_descriptor() {
  loop_.internals().unwatch(watch_);
  inotify_.reset();
  by_descriptor_.clear();
  handles_.for_each([](FsWatch& handle) { handle.watched_->descriptor = -1; });
}

void FsWatchService::deliver(const inotify_event& event) {
  if ((event.mask & IN_Q_OVERFLOW) != 0) {
    report_all(Error{EOVERFLOW, "inotify"});
    return;
  }
  const auto found = by_descriptor_.find(event.wd);
  if (found == by_descriptor_.end()) return;  // The watch was stopped earlier, or by a callback.
  FsWatched& watched = *found->second;
  if ((event.mask & IN_IGNORED) != 0) {
    watched.descriptor = -1;
    by_descriptor_.erase(found);
    return;
  }
  const bool is_change = (event.mask & kChangeBits) != 0;
  const FsWatch::Kind kind = is_change ? FsWatch::Kind::change : FsWatch::Kind::rename;
  // Detached first, because a callback may start, stop or close any handle, including its own.
  ++watched.users;
  auto turn = watched.handles.take();
  List<FsWatch, &FsWatch::watched_link_> reported;
  while (FsWatch* handle = turn.pop_front()) {
    reported.push_back(*handle);
    const std::string own = event.len > 0 ? "" : handle->own_name();  // stop() clears the path.
    report(*handle, FsWatch::Change{kind, event.len > 0 ? std::string_view(event.name) : own});
  }
  watched.handles.splice_front(reported);
  let_go(watched);
}

void FsWatchService::report_all(Error error) {
  All turn = handles_.take();
  All reported;
  while (FsWatch* handle = turn.pop_front()) {
    reported.push_back(*handle);
    report(*handle, error);
  }
  handles_.splice_front(reported);
}

void FsWatchService::report(FsWatch& handle, Result<FsWatch::Change> change) {
  if (handle.epoch_ >= epoch_) return;
  CallbackScope scope(loop_, handle);
  handle.on_change_.call_replaceable(handle, std::move(change));
}

// The child shares the inotify instance with its parent: reading events or removing watches would
// affect the parent.
Result<void> FsWatchService::reopen_after_fork() {
  if (!inotify_) return {};
  drop_descriptor();
  if (Result<void> opened = open(); !opened) return opened;
  handles_.for_each([this](FsWatch& handle) {
    Result<FsWatched*> watched = watch_file(handle.path_.c_str());
    if (!watched) return;
    handle.watched_link_.unlink();
    let_go(*handle.watched_);
    handle.watched_ = *watched;
    (*watched)->handles.push_back(handle);
  });
  return {};
}

FsWatch::FsWatch(Loop& loop) : Handle(loop, HandleKind::fs_watch) {}

Result<void> FsWatch::start(std::string_view path, OnChange on_change) {
  return start(path, std::move(on_change), Options{});
}

Result<void> FsWatch::start(std::string_view path, OnChange on_change, Options options) {
  RONDO_ASSERT(!is_closing());
  if (options.recursive) return Error{ENOTSUP, "watch"};
  if (path.find('\0') != std::string_view::npos) return Error{EINVAL, "watch"};
  auto& service = internals().service<FsWatchService>();
  if (Result<void> added = service.add(*this, path); !added) return added;
  on_change_ = std::move(on_change);
  activate();
  return {};
}

void FsWatch::stop() {
  if (service_ != nullptr) service_->remove(*this);
  deactivate();
}

// As basename(1): "b" for "/a/b/", "/" for "/".
std::string FsWatch::own_name() const {
  const size_t last = path_.find_last_not_of('/');
  if (last == std::string::npos) return "/";
  const size_t slash = path_.rfind('/', last);
  const size_t first = slash == std::string::npos ? 0 : slash + 1;
  return path_.substr(first, last + 1 - first);
}

}  // namespace rondo

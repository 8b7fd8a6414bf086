#include "io/fs/poll.h"

#include <algorithm>
#include <utility>

#include "io/fs/fs.h"
#include "loop/internals.h"

namespace rondo {
namespace {

bool is_same_time(const timespec& left, const timespec& right) {
  return left.tv_sec == right.tv_sec && left.tv_nsec == right.tv_nsec;
}

// Reading a file is no change: atime is left out.
bool is_same(const Stat& left, const Stat& right) {
  return is_same_time(left.ctime, right.ctime) && is_same_time(left.mtime, right.mtime) &&
         is_same_time(left.birthtime, right.birthtime) && left.size == right.size &&
         left.mode == right.mode && left.uid == right.uid && left.gid == right.gid &&
         left.ino == right.ino && left.dev == right.dev;
}

}  // namespace

void FsPoll::start(std::string_view path, Nanos interval, OnChange on_change) {
  RONDO_ASSERT(!is_closing());
  stop();
  path_ = path;
  interval_ = std::max(interval, Nanos{1});
  on_change_ = std::move(on_change);
  last_ = Stat();
  last_error_ = 0;
  has_looked_ = false;
  if (timer_ == nullptr) {
    timer_ = loop().make<Timer>();
    timer_->unref();
    timer_->hide_from_trace();
  }
  activate();
  if (!request_.is_pending()) look();
}

void FsPoll::stop() {
  if (path_.empty()) return;
  path_.clear();
  timer_->stop();
  is_outdated_ = request_.is_pending();
  deactivate();
}

void FsPoll::on_closing() {
  stop();
  timer_.reset();
}

void FsPoll::look() {
  started_looking_ = loop().now();
  is_outdated_ = false;
  begin_operation();
  Fs(loop()).stat(request_, path_, [this](FsRequest<Stat>& request) { looked(request.result()); });
}

void FsPoll::looked(const Result<Stat>& now) {
  end_operation();
  if (path_.empty()) return;
  if (is_outdated_) return look();
  report(now);
  if (path_.empty() || is_outdated_ || request_.is_pending()) return;
  // Keep to multiples of the interval since the first look, however long a look takes.
  const Nanos late = (loop().now() - started_looking_) % interval_;
  timer_->start(interval_ - late, [this](Timer&) { look(); });
}

// No CallbackScope: the request's own surrounds the call.
void FsPoll::report(const Result<Stat>& now) {
  const bool is_first = !std::exchange(has_looked_, true);
  const Stat before = last_;
  if (now) {
    const bool is_change = last_error_ != 0 || (!is_first && !is_same(before, *now));
    last_ = *now;
    last_error_ = 0;
    if (is_change) on_change_.call_replaceable(*this, before, now);
    return;
  }
  if (now.error().code == last_error_) return;
  last_error_ = now.error().code;
  on_change_.call_replaceable(*this, before, now);
}

}  // namespace rondo

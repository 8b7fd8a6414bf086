// FsPoll is a handle that looks at a file at intervals and calls back when its stat(2) has changed.
// For file systems that FsWatch does not work on, and for files that do not exist yet.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "io/fs/request.h"
#include "io/fs/types.h"
#include "loop/handle.h"
#include "loop/phases/timers.h"

namespace rondo {

// Phase: poll. Thread: the loop's only. The path is looked up each time, so a file that is replaced
// by another is a change. Changes between two looks are one, and are missed if nothing is different
// at the second look.
class FsPoll final : public Handle {
 public:
  // `before` is the last known state, all zero if there was none. Errors of stat(2), such as
  // ENOENT, are reported when they begin or change, and the file's return after an error is a
  // change.
  using OnChange = Callback<void(FsPoll&, const Stat& before, const Result<Stat>& now)>;

  explicit FsPoll(Loop& loop) : Handle(loop, HandleKind::fs_poll) {}
  ~FsPoll() override = default;

  // The first look, which happens at once, reports only an error. Starting again replaces path,
  // interval and function, and forgets the last state.
  void start(std::string_view path, Nanos interval, OnChange on_change);
  void stop();                                       // Idempotent, and safe inside the callback.
  const std::string& path() const { return path_; }  // Empty while it is not started.

 private:
  void on_closing() override;
  void look();
  void looked(const Result<Stat>& now);
  void report(const Result<Stat>& now);

  std::string path_;
  Nanos interval_{0};
  Nanos started_looking_{0};
  OnChange on_change_;
  Owned<Timer> timer_;
  FsRequest<Stat> request_{loop()};
  Stat last_;
  int last_error_ = 0;
  bool has_looked_ = false;   // `last_` or `last_error_` is valid.
  bool is_outdated_ = false;  // The look in flight began before the last start or stop.
};

}  // namespace rondo

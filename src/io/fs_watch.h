// An FsWatch handle calls back when a file or the entries of a directory change.
#pragma once

#include <string>
#include <string_view>

#include "base/list.h"
#include "base/result.h"
#include "loop/handle.h"

namespace rondo {

class FsWatchService;
struct FsWatched;

// Phase: poll. Thread: the loop's only. Built on inotify(7), and with its limits: it sees what
// passes through this kernel, not what another machine does to a network file system; a directory's
// own entries, not what is below them. All handles of a loop share one inotify descriptor, which is
// opened by the first start() and closed with the loop.
class FsWatch final : public Handle {
 public:
  enum class Kind : uint8_t {
    rename,  // An entry came, went or got another name; the watched file itself did.
    change,  // Content or attributes.
  };
  struct Change {
    Kind kind;
    // Of the entry in a watched directory; else the last part of the watched path. Gone when the
    // callback returns.
    std::string_view name;
  };
  // EOVERFLOW: changes came faster than they were taken, and some are lost; look at the files
  // themselves. The handle goes on. ENOSPC, ENOMEM: the kernel has refused to report changes; the
  // handle is stopped.
  using OnChange = Callback<void(FsWatch&, Result<Change>)>;
  struct Options {
    bool recursive = false;  // ENOTSUP: inotify watches one directory, not a tree.
  };

  explicit FsWatch(Loop& loop);
  ~FsWatch() override = default;

  // Starting again replaces path and function. ENOENT, ENOTDIR, EACCES; ENOSPC where the user has
  // no watches left, EMFILE no inotify descriptors. On an error the handle stays as it was.
  //
  // It is the file that is watched, not its name: a file that is moved is still watched, one that
  // is deleted is told as a rename, and nothing comes after that, even if a new file takes the
  // name. To follow a name, watch the directory.
  Result<void> start(std::string_view path, OnChange on_change, Options options);
  Result<void> start(std::string_view path, OnChange on_change);
  void stop();  // Idempotent, and safe inside the callback.

  const std::string& path() const { return path_; }  // Empty while it is not started.

 private:
  friend class FsWatchService;
  friend struct FsWatched;
  void on_closing() override { stop(); }
  std::string own_name() const;

  ListLink watched_link_;         // Among the handles of one file.
  ListLink service_link_;         // Among all of the loop's.
  FsWatched* watched_ = nullptr;  // Set exactly while started, as the next.
  FsWatchService* service_ = nullptr;
  OnChange on_change_;
  std::string path_;
  uint64_t epoch_ = 0;  // The service's when it was started: older changes are not its business.
};

}  // namespace rondo

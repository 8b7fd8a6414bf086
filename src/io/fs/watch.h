// FsWatch is a handle that calls back when a file or the entries of a directory change.
#pragma once

#include <string>
#include <string_view>

#include "base/list.h"
#include "base/result.h"
#include "loop/handle.h"

namespace rondo {

class FsWatchService;
struct FsWatched;

// Phase: poll. Thread: the loop's only. Uses inotify(7), with its limits: changes by other machines
// on network file systems, or below the entries of a directory, are not reported. All handles of a
// loop share one inotify descriptor, which the first start() opens and the loop closes.
class FsWatch final : public Handle {
 public:
  enum class Kind : uint8_t {
    rename,  // An entry, or the watched file, was created, deleted or renamed.
    change,  // Content or attributes changed.
  };
  struct Change {
    Kind kind;
    // The name of the entry in a watched directory, otherwise the last part of the watched path.
    // Valid until the callback returns.
    std::string_view name;
  };
  // EOVERFLOW: the kernel's queue was full and changes are lost, so check the files themselves. The
  // handle continues. ENOSPC, ENOMEM: the kernel cannot report changes, and the handle is stopped.
  using OnChange = Callback<void(FsWatch&, Result<Change>)>;
  struct Options {
    bool recursive = false;  // ENOTSUP: inotify watches one directory, not a tree.
  };

  explicit FsWatch(Loop& loop);
  ~FsWatch() override = default;

  // Starting again replaces path and function. Errors: ENOENT, ENOTDIR, EACCES, ENOSPC (no watches
  // left for the user), EMFILE (no inotify descriptors left). After an error the handle is
  // unchanged.
  //
  // Watches the file, not its name: a file that is moved is still watched. A deleted file is
  // reported as a rename, and nothing is reported after that, even if a new file gets the name. To
  // follow a name, watch its directory.
  Result<void> start(std::string_view path, OnChange on_change, Options options);
  Result<void> start(std::string_view path, OnChange on_change);
  void stop();  // Idempotent, and safe inside the callback.

  const std::string& path() const { return path_; }  // Empty while it is not started.

 private:
  friend class FsWatchService;
  friend struct FsWatched;
  void on_closing() override { stop(); }
  std::string own_name() const;

  ListLink watched_link_;         // In the list of one file.
  ListLink service_link_;         // In the list of the loop.
  FsWatched* watched_ = nullptr;  // Set while started, like path_.
  FsWatchService* service_ = nullptr;
  OnChange on_change_;
  std::string path_;
  uint64_t epoch_ = 0;  // Value of the service at start: older changes are ignored.
};

}  // namespace rondo

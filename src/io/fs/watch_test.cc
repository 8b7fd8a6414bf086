#include "io/fs/watch.h"

#include <dirent.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "loop/loop.h"
#include "support/temp_dir.h"

namespace rondo {
namespace {

using Change = FsWatch::Change;
using Kind = FsWatch::Kind;
using Reported = const Result<Change>&;

// The changes that one handle reported, as "rename:name change:name ...".
struct Log {
  std::string text;
  int count = 0;

  void add(Reported change) {
    if (!text.empty()) text += ' ';
    ++count;
    if (!change) {
      text += change.error().name();
      return;
    }
    text += change->kind == Kind::rename ? "rename:" : "change:";
    text += change->name;
  }
  FsWatch::OnChange recorder() {
    return [this](FsWatch&, Reported change) { add(change); };
  }
};

void append(const std::string& path, const char* text) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  ASSERT_GE(fd, 0) << path;
  EXPECT_GT(::write(fd, text, std::char_traits<char>::length(text)), 0);
  ::close(fd);
}

int open_descriptors() {
  int count = 0;
  DIR* dir = ::opendir("/proc/self/fd");
  while (::readdir(dir) != nullptr) ++count;
  ::closedir(dir);
  return count;
}

long queue_limit() {
  return std::atol(read_whole("/proc/sys/fs/inotify/max_queued_events").c_str());
}

// Causes more events than the kernel's queue holds. Alternates two files, since equal events are
// merged.
void overflow_queue(const TempDir& dir, long limit) {
  const int files[] = {
      ::open(dir.write("a", "").c_str(), O_WRONLY | O_CLOEXEC),
      ::open(dir.write("b", "").c_str(), O_WRONLY | O_CLOEXEC),
  };
  for (long i = 0; i <= limit; ++i) EXPECT_EQ(::pwrite(files[i % 2], "x", 1, 0), 1);
  for (int file : files) ::close(file);
}

// All watches of a loop share a queue in the kernel: when the change of `last` is reported, all
// earlier changes have been reported.
class Fence {
 public:
  explicit Fence(Loop& loop) : loop_(loop), handle_(loop.make<FsWatch>()) {
    EXPECT_TRUE(handle_->start(dir_.path(), [this](FsWatch&, Reported) { is_seen_ = true; }));
  }
  void wait() {
    is_seen_ = false;
    ::chmod(dir_.path().c_str(), 0700);
    while (!is_seen_) loop_.run_once();
  }

 private:
  Loop& loop_;
  TempDir dir_;
  Owned<FsWatch> handle_;
  bool is_seen_ = false;
};

TEST(FsWatch, ReportsChangesOfADirectoryInPoll) {
  Loop loop;
  TempDir dir;
  Fence fence(loop);
  auto watch = loop.make<FsWatch>();
  Log log;
  ASSERT_TRUE(watch->start(dir.path(), [&](FsWatch&, Reported change) {
    EXPECT_EQ(loop.phase(), Phase::poll);
    log.add(change);
  }));
  EXPECT_EQ(watch->path(), dir.path());
  ::close(::open((dir / "a").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
  append(dir / "a", "hello");
  ::chmod((dir / "a").c_str(), 0644);
  ::rename((dir / "a").c_str(), (dir / "b").c_str());
  ::unlink((dir / "b").c_str());
  fence.wait();
  EXPECT_EQ(log.text, "rename:a change:a change:a rename:a rename:b rename:b");
}

TEST(FsWatch, AWatchedFileIsNamedByTheLastPartOfItsPath) {
  Loop loop;
  TempDir dir;
  Fence fence(loop);
  const std::string path = dir.write("notes.txt", "1");
  auto watch = loop.make<FsWatch>();
  Log log;
  ASSERT_TRUE(watch->start(path, log.recorder()));
  append(path, "2");
  fence.wait();
  EXPECT_EQ(log.text, "change:notes.txt");
}

TEST(FsWatch, ADirectoryItselfIsNamedWithoutItsSlashes) {
  Loop loop;
  TempDir dir;
  Fence fence(loop);
  ::mkdir((dir / "sub").c_str(), 0700);
  auto watch = loop.make<FsWatch>();
  Log log;
  ASSERT_TRUE(watch->start((dir / "sub") + "//", log.recorder()));
  ::chmod((dir / "sub").c_str(), 0711);
  fence.wait();
  EXPECT_EQ(log.text, "change:sub");  // No additional rename, although it is a directory.
}

TEST(FsWatch, ADeletedFileIsReportedAsARenameAndCanBeWatchedAgain) {
  Loop loop;
  TempDir dir;
  Fence fence(loop);
  const std::string path = dir.write("file", "1");
  auto watch = loop.make<FsWatch>();
  Log log;
  ASSERT_TRUE(watch->start(path, log.recorder()));
  ::unlink(path.c_str());
  fence.wait();
  EXPECT_EQ(log.text, "change:file rename:file");  // The change is the number of links.
  EXPECT_TRUE(watch->is_active());
  dir.write("file", "2");  // Another file of that name.
  fence.wait();
  EXPECT_EQ(log.count, 2);
  ASSERT_TRUE(watch->start(path, log.recorder()));
  append(path, "3");
  fence.wait();
  EXPECT_EQ(log.text, "change:file rename:file change:file");
}

TEST(FsWatch, AMovedFileIsStillWatched) {
  Loop loop;
  TempDir dir;
  Fence fence(loop);
  const std::string path = dir.write("old", "1");
  auto watch = loop.make<FsWatch>();
  Log log;
  ASSERT_TRUE(watch->start(path, log.recorder()));
  ::rename(path.c_str(), (dir / "new").c_str());
  append(dir / "new", "2");
  fence.wait();
  EXPECT_EQ(log.text, "rename:old change:old");
}

TEST(FsWatch, FilesThatCannotBeWatchedAreReportedByStart) {
  Loop loop;
  TempDir dir;
  const int before = open_descriptors();
  auto watch = loop.make<FsWatch>();
  const auto error_of = [&](std::string_view path) {
    Result<void> started = watch->start(path, [](FsWatch&, Reported) {});
    EXPECT_FALSE(watch->is_active());
    return started ? 0 : started.error().code;
  };
  EXPECT_EQ(error_of(dir / "missing"), ENOENT);
  EXPECT_EQ(error_of(""), ENOENT);
  EXPECT_EQ(error_of(dir.write("file", "") + "/below"), ENOTDIR);
  EXPECT_EQ(error_of(std::string_view("/tmp\0/x", 7)), EINVAL);
  EXPECT_EQ(error_of(std::string(5000, 'x')), ENAMETOOLONG);
  Result<void> tree = watch->start(dir.path(), [](FsWatch&, Reported) {}, {.recursive = true});
  ASSERT_FALSE(tree);
  EXPECT_EQ(tree.error().code, ENOTSUP);
  EXPECT_FALSE(loop.run());
  EXPECT_EQ(open_descriptors(), before + 1);  // The inotify descriptor of the loop.
}

TEST(FsWatch, AnErrorLeavesAStartedHandleAsItWas) {
  Loop loop;
  TempDir dir;
  Fence fence(loop);
  auto watch = loop.make<FsWatch>();
  Log log;
  ASSERT_TRUE(watch->start(dir.path(), log.recorder()));
  ASSERT_FALSE(watch->start(dir / "missing", [](FsWatch&, Reported) { FAIL(); }));
  dir.write("a", "");
  fence.wait();
  EXPECT_TRUE(watch->is_active());
  EXPECT_EQ(log.text.substr(0, 8), "rename:a");
}

TEST(FsWatch, HandlesOfOneFileShareItAndStopSingly) {
  Loop loop;
  TempDir dir;
  Fence fence(loop);
  const std::string path = dir.write("file", "1");
  ASSERT_EQ(::link(path.c_str(), (dir / "twin").c_str()), 0);
  auto first = loop.make<FsWatch>(), second = loop.make<FsWatch>(), third = loop.make<FsWatch>();
  Log one, two, three;
  ASSERT_TRUE(first->start(path, one.recorder()));
  ASSERT_TRUE(second->start(dir.path() + "/./file", two.recorder()));
  ASSERT_TRUE(third->start(dir / "twin", three.recorder()));
  append(path, "2");
  fence.wait();
  EXPECT_EQ(one.text, "change:file");
  EXPECT_EQ(two.text, "change:file");
  EXPECT_EQ(three.text, "change:twin");  // The same file under another name.
  first->stop();
  third.reset();
  append(path, "3");
  fence.wait();
  EXPECT_EQ(one.count, 1);
  EXPECT_EQ(two.count, 2);
  EXPECT_EQ(three.count, 1);
  second->stop();
  append(path, "4");
  fence.wait();
  EXPECT_EQ(two.count, 2);
}

TEST(FsWatch, POL_06_ClosedByAnEarlierCallbackOfTheSameBatchIsNotCalled) {
  Loop loop;
  TempDir dir, elsewhere;
  Fence fence(loop);
  auto first = loop.make<FsWatch>(), peer = loop.make<FsWatch>(), other = loop.make<FsWatch>();
  int reports = 0;
  ASSERT_TRUE(first->start(dir.path(), [&](FsWatch& self, Reported) {
    ++reports;
    peer.reset();   // Gets the same event.
    other.reset();  // Gets a later event.
    self.close();
  }));
  ASSERT_TRUE(peer->start(dir.path(), [](FsWatch&, Reported) { FAIL(); }));
  ASSERT_TRUE(other->start(elsewhere.path(), [](FsWatch&, Reported) { FAIL(); }));
  for (int i = 0; i < 50; ++i) {
    dir.write("a" + std::to_string(i), "1");
    elsewhere.write("b" + std::to_string(i), "1");
  }
  fence.wait();
  EXPECT_EQ(reports, 1);
}

TEST(FsWatch, TheNameOutlivesAStopInTheCallback) {
  Loop loop;
  TempDir dir;
  const std::string path = dir.write("a name that is long enough to be kept on the heap", "1");
  auto watch = loop.make<FsWatch>();
  std::string seen;
  ASSERT_TRUE(watch->start(path, [&](FsWatch& self, Reported change) {
    self.stop();
    seen = change->name;
  }));
  append(path, "2");
  loop.run();
  EXPECT_EQ(seen, "a name that is long enough to be kept on the heap");
}

TEST(FsWatch, StartedByACallbackDoesNotGetEarlierChanges) {
  Loop loop;
  TempDir dir;
  Fence fence(loop);
  auto first = loop.make<FsWatch>(), second = loop.make<FsWatch>();
  Log log;
  ASSERT_TRUE(first->start(dir.path(), [&](FsWatch& self, Reported) {
    self.stop();
    ASSERT_TRUE(second->start(dir.path(), log.recorder()));
  }));
  dir.write("a", "1");
  dir.write("b", "1");
  fence.wait();
  EXPECT_EQ(log.text, "");
  ::unlink((dir / "a").c_str());
  fence.wait();
  EXPECT_EQ(log.text, "rename:a");
}

TEST(FsWatch, RestartedInItsCallbackFollowsTheNewPath) {
  Loop loop;
  TempDir dir, elsewhere;
  Fence fence(loop);
  auto watch = loop.make<FsWatch>();
  Log log;
  ASSERT_TRUE(watch->start(dir.path(), [&](FsWatch& self, Reported) {
    ASSERT_TRUE(self.start(elsewhere.path(), log.recorder()));
  }));
  dir.write("a", "");
  fence.wait();
  ::mkdir((dir / "b").c_str(), 0700);
  ::mkdir((elsewhere / "c").c_str(), 0700);
  fence.wait();
  EXPECT_EQ(log.text, "rename:c");
}

TEST(FsWatch, AnOverflowIsReportedToEveryHandleAndTheyContinue) {
  const long most = queue_limit();
  if (most <= 0 || most > 100'000) GTEST_SKIP() << "the queue is too long to fill: " << most;
  Loop loop;
  TempDir dir, quiet;
  auto busy = loop.make<FsWatch>(), idle = loop.make<FsWatch>();
  Log idle_log;
  int changes = 0, overflows = 0;
  ASSERT_TRUE(busy->start(dir.path(), [&](FsWatch&, Reported change) {
    if (change) {
      ++changes;
    } else {
      EXPECT_EQ(change.error().code, EOVERFLOW);
      ++overflows;
    }
  }));
  ASSERT_TRUE(idle->start(quiet.path(), idle_log.recorder()));
  overflow_queue(dir, most);
  while (overflows == 0) loop.run_once();
  EXPECT_GE(changes, 1000);
  EXPECT_EQ(idle_log.text, "EOVERFLOW");
  ::mkdir((quiet / "later").c_str(), 0700);
  while (idle_log.count < 2) loop.run_once();
  EXPECT_EQ(idle_log.text, "EOVERFLOW rename:later");
}

TEST(FsWatch, AnOverflowMayCloseEveryHandle) {
  // All handles get the error, and each may close the others.
  const long most = queue_limit();
  if (most <= 0 || most > 100'000) GTEST_SKIP() << "the queue is too long to fill: " << most;
  Loop loop;
  TempDir dir, quiet;
  std::vector<Owned<FsWatch>> handles;
  int reports = 0;
  for (int i = 0; i < 5; ++i) {
    handles.push_back(loop.make<FsWatch>());
    ASSERT_TRUE(
        handles.back()->start(i == 0 ? dir.path() : quiet.path(), [&](FsWatch&, Reported change) {
          if (change) return;
          ++reports;
          handles.clear();
        }));
  }
  overflow_queue(dir, most);
  loop.run();
  EXPECT_EQ(reports, 1);
}

TEST(FsWatch, WithoutARefItDoesNotKeepTheLoopAlive) {
  Loop loop;
  TempDir dir;
  auto watch = loop.make<FsWatch>();
  ASSERT_TRUE(watch->start(dir.path(), [](FsWatch&, Reported) {}));
  watch->unref();
  EXPECT_FALSE(loop.run());
}

TEST(FsWatch, POL_10_OneDescriptorStaysOpenUntilTheLoopEnds) {
  TempDir dir;
  const int before = open_descriptors();
  {
    Loop loop;
    const int of_loop = open_descriptors();
    auto first = loop.make<FsWatch>(), second = loop.make<FsWatch>();
    ASSERT_TRUE(first->start(dir.path(), [](FsWatch& self, Reported) { self.stop(); }));
    ASSERT_TRUE(second->start(dir.path(), [](FsWatch& self, Reported) { self.stop(); }));
    EXPECT_EQ(open_descriptors(), of_loop + 1);
    dir.write("a", "");
    loop.run();
    EXPECT_EQ(open_descriptors(), of_loop + 1);
    ASSERT_TRUE(first->start(dir.path(), [](FsWatch& self, Reported) { self.stop(); }));
    dir.write("b", "");
    loop.run();
    EXPECT_EQ(open_descriptors(), of_loop + 1);
  }
  EXPECT_EQ(open_descriptors(), before);
}

TEST(FsWatch, WithoutDescriptorsStartReportsIt) {
  Loop loop;
  TempDir dir;
  auto watch = loop.make<FsWatch>();
  rlimit saved{};
  ::getrlimit(RLIMIT_NOFILE, &saved);
  rlimit none = saved;
  none.rlim_cur = 0;
  ::setrlimit(RLIMIT_NOFILE, &none);
  Result<void> started = watch->start(dir.path(), [](FsWatch&, Reported) {});
  ::setrlimit(RLIMIT_NOFILE, &saved);
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code, EMFILE);
  EXPECT_FALSE(watch->is_active());
}

TEST(FsWatch, AForkedChildTakesNothingAwayFromItsParent) {
  Loop loop;
  TempDir dir;
  auto watch = loop.make<FsWatch>();
  Log log;
  ASSERT_TRUE(watch->start(dir.path(), log.recorder()));
  ::mkdir((dir / "early").c_str(), 0700);
  const pid_t pid = ::fork();
  if (pid == 0) {
    if (!loop.reopen_after_fork()) ::_exit(1);
    ::mkdir((dir / "late").c_str(), 0700);
    while (log.count < 1) loop.run_once();
    watch->stop();  // Must not stop the watch of the parent.
    ::_exit(log.text == "rename:late" ? 0 : 2);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(pid, &status, 0), pid);
  EXPECT_EQ(status, 0);
  ::mkdir((dir / "last").c_str(), 0700);
  while (log.count < 3) loop.run_once();
  EXPECT_EQ(log.text, "rename:early rename:late rename:last");
}

TEST(FsWatch, SurvivesCallbacksThatStartAndStopAtRandom) {
  Loop loop;
  std::vector<std::unique_ptr<TempDir>> dirs;
  for (int i = 0; i < 4; ++i) dirs.push_back(std::make_unique<TempDir>());
  std::vector<Owned<FsWatch>> handles;
  for (int i = 0; i < 24; ++i) handles.push_back(loop.make<FsWatch>());
  std::srand(7);
  int calls = 0;
  struct Shuffle {
    std::vector<std::unique_ptr<TempDir>>& dirs;
    std::vector<Owned<FsWatch>>& handles;
    int& calls;
    void start(FsWatch& handle) {
      const auto& dir = dirs[static_cast<size_t>(std::rand()) % dirs.size()];
      ASSERT_TRUE(handle.start(dir->path(), [this](FsWatch&, Reported) { turn(); }));
    }
    void turn() {
      ++calls;
      Owned<FsWatch>& victim = handles[static_cast<size_t>(std::rand()) % handles.size()];
      switch (std::rand() % 4) {
        case 0: victim->stop(); break;
        case 1: victim = victim->loop().make<FsWatch>(); break;
        default: start(*victim); break;
      }
    }
  } shuffle{dirs, handles, calls};
  for (Owned<FsWatch>& handle : handles) shuffle.start(*handle);
  for (int round = 0; round < 200; ++round) {
    for (const auto& dir : dirs) ::chmod(dir->path().c_str(), 0700);
    loop.run_nowait();
    shuffle.start(*handles.front());
  }
  EXPECT_GT(calls, 200);
}

}  // namespace
}  // namespace rondo

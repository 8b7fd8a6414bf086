// Scenarios for files: every operation of Fs.
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <optional>

#include "io/fs/awaiters.h"
#include "io/net/awaiters.h"
#include "loop/co/awaiters.h"
#include "scenario.h"
#include "support/pipes.h"

namespace rondo::faults {
namespace {

std::string text_of(std::span<const std::byte> data) {
  return std::string(reinterpret_cast<const char*>(data.data()), data.size());
}

std::span<const std::byte> bytes_of(const FileBytes& data) { return {data.data(), data.size()}; }

// If an open fails, calls on its descriptor fail with their own error.
Task<void> write_and_read(Loop& loop, Context& context) {
  CoFs fs(loop);
  const std::string path = context.path("file");
  const std::string text(20000, 'x');
  const Result<void> written = co_await fs.write_file(path, bytes(text));
  context.expect(!written || context.content(path) == text,
                 "write_file() succeeded, but the file is another");
  context.write(path, text);
  const Result<FileBytes> read = co_await fs.read_file(path);
  context.expect(!read || text_of(bytes_of(*read)) == text,
                 "read_file() succeeded with other bytes");

  Result<Fd> file = co_await fs.open(path, O_RDWR | O_CREAT | O_TRUNC);
  if (!file) co_return;
  const int fd = file->get();
  const Result<size_t> first = co_await fs.write_all(fd, bytes("0123456789"), 0);
  const Result<size_t> second = co_await fs.write_all(fd, bytes("abc"), -1);
  const iovec parts[] = {{const_cast<char*>("de"), 2}, {const_cast<char*>("fgh"), 3}};
  const Result<size_t> third = co_await fs.writev(fd, parts, 3);
  if (first && second && third && *third == 5) {
    context.expect(context.content(path) == "abcdefgh89",
                   "all writes succeeded, but the file is another");
  }
  context.write(path, "abcdefghij");
  std::byte buffer[4] = {};
  const Result<size_t> at = co_await fs.read(fd, buffer, 2);
  context.expect(!at || text_of(std::span(buffer).first(*at)) == std::string("cdef").substr(0, *at),
                 "read() gave other bytes");
  // More than is read synchronously, so that a worker reads it.
  std::vector<std::byte> big(size_t{256} << 10);
  const Result<size_t> whole = co_await fs.read(fd, big, 0);
  context.expect(!whole || *whole == 10, "a big read() gave another count");
  (void)co_await fs.read(fd, big, -1);
  const iovec rooms[] = {{buffer, 2}, {buffer + 2, 2}};
  const Result<size_t> spread = co_await fs.readv(fd, rooms, 4);
  context.expect(!spread || *spread == 0 || buffer[0] == std::byte{'e'},
                 "readv() gave other bytes");
  (void)co_await fs.readv(fd, rooms, -1);
  (void)co_await fs.fsync(fd);
  (void)co_await fs.fdatasync(fd);
  (void)co_await fs.fstat(fd);
  (void)co_await fs.fchmod(fd, 0600);
  (void)co_await fs.fchown(fd, ::getuid(), ::getgid());
  (void)co_await fs.futimes(fd, {1, 0}, {1, 0});
  const Result<void> cut = co_await fs.ftruncate(fd, 3);
  context.expect(!cut || context.content(path) == "abc",
                 "ftruncate() succeeded, but the file is as long as before");
  (void)co_await fs.close(std::move(*file));
  Result<Fd> reader = co_await fs.open(path, O_RDONLY);
  if (reader) (void)co_await fs.close(std::move(*reader));
}

Task<void> send_files(Loop& loop, Context& context) {
  CoFs fs(loop);
  context.write(context.path("source"), std::string(5000, 's'));
  Result<Fd> in = co_await fs.open(context.path("source"), O_RDONLY);
  Result<Fd> out = co_await fs.open(context.path("sent"), O_WRONLY | O_CREAT);
  if (in && out) {
    const Result<size_t> sent = co_await fs.sendfile(out->get(), in->get(), 0, 5000);
    context.expect(!sent || context.content(context.path("sent")).size() == *sent,
                   "sendfile() gave another count");
  }
  // Appending, and a full device, which accepts nothing.
  Result<Fd> appending = co_await fs.open(context.path("appended"), O_WRONLY | O_CREAT | O_APPEND);
  if (in && appending) (void)co_await fs.sendfile(appending->get(), in->get(), 0, 5000);
  Result<Fd> full = co_await fs.open("/dev/full", O_WRONLY | O_APPEND);
  if (in && full) {
    const Result<size_t> none = co_await fs.sendfile(full->get(), in->get(), -1, 5000);
    context.expect(!none, "sendfile() wrote to a full device");
  }
}

// Pipes and FIFOs: io_uring writes to them, and reads wait for the other end.
Task<void> use_fifos(Loop& loop, Context& context) {
  CoFs fs(loop);
  std::optional<Pipe> pipe;
  {
    const Quietly quietly;
    pipe.emplace();
    ::mkfifo(context.path("fifo").c_str(), 0600);
  }
  const Result<size_t> written = co_await fs.write(pipe->in.get(), bytes("ping"));
  if (written) {
    std::byte buffer[8] = {};
    const Result<size_t> read = co_await fs.read(pipe->out.get(), buffer);
    context.expect(!read || *read == *written, "a pipe gave another count than it took");
  }
  const Result<size_t> all = co_await fs.write_all(pipe->in.get(), bytes("pong"));
  context.expect(!all || *all == 4, "write_all() wrote less than all");
  // Opened on both sides, so that neither waits forever.
  Fd keeper;
  {
    const Quietly quietly;
    keeper = Fd(::open(context.path("fifo").c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK));
    (void)!::write(keeper.get(), "fifo", 4);
  }
  const Result<FileBytes> limited = co_await fs.read_file(context.path("fifo"), 2);
  context.expect(!limited, "read_file() read beyond its limit");
}

}  // namespace

void run_files(Context& context) {
  context.with_loop([&](Loop& loop) {
    loop.run_task(write_and_read(loop, context));
    loop.run_task(send_files(loop, context));
    loop.run_task(use_fifos(loop, context));
  });
}

void run_directories(Context& context) {
  auto program = [](Loop& loop, Context& at) -> Task<void> {
    CoFs fs(loop);
    at.write(at.path("a"), "content");
    (void)co_await fs.stat(at.path("a"));
    (void)co_await fs.lstat(at.path("a"));
    (void)co_await fs.statfs(at.dir);
    (void)co_await fs.access(at.path("a"), R_OK);
    const Result<void> made = co_await fs.mkdir(at.path("sub"));
    {
      const Quietly quietly;
      at.expect(!made || ::access(at.path("sub").c_str(), F_OK) == 0,
                "mkdir() succeeded, but made nothing");
    }
    Result<std::string> made_temporary = co_await fs.mkdtemp(at.path("d-XXXXXX"));
    Result<TempFile> temporary = co_await fs.mkstemp(at.path("f-XXXXXX"));
    if (temporary) (void)co_await fs.close(Fd(temporary->fd));
    (void)co_await fs.link(at.path("a"), at.path("hard"));
    (void)co_await fs.symlink("a", at.path("soft"));
    const Result<std::string> target = co_await fs.readlink(at.path("soft"));
    at.expect(!target || *target == "a", "readlink() gave another target");
    (void)co_await fs.realpath(at.path("a"));
    const Result<std::vector<Dirent>> entries = co_await fs.readdir(at.dir);
    at.expect(!entries || entries->size() >= 1, "readdir() succeeded without the entries");
    (void)co_await fs.chmod(at.path("a"), 0644);
    (void)co_await fs.chown(at.path("a"), ::getuid(), ::getgid());
    (void)co_await fs.lchown(at.path("soft"), ::getuid(), ::getgid());
    (void)co_await fs.utimes(at.path("a"), {1, 0}, {1, 0});
    (void)co_await fs.lutimes(at.path("soft"), {1, 0}, {1, 0});
    (void)co_await fs.truncate(at.path("a"), 3);
    const Result<void> moved = co_await fs.rename(at.path("a"), at.path("b"));
    at.expect(!moved || !at.content(at.path("b")).empty(),
              "rename() succeeded, but the file is not there");
    (void)co_await fs.unlink(at.path("b"));
    (void)co_await fs.rmdir(at.path("sub"));
  };
  context.with_loop([&](Loop& loop) { loop.run_task(program(loop, context)); });
}

// Many at once, with callbacks: on the loop's thread, on the ring, and by workers.
void run_callbacks(Context& context) {
  constexpr size_t kMany = 40;
  context.write(context.path("small"), "small");
  context.with_loop([&](Loop& loop) {
    Account& account = context.account;
    Fs fs(loop);
    std::vector<std::unique_ptr<FsRequest<FileBytes>>> reads;
    std::vector<std::unique_ptr<FsRequest<Stat>>> stats;
    for (size_t i = 0; i < kMany; ++i) {
      reads.push_back(std::make_unique<FsRequest<FileBytes>>(loop));
      fs.read_file(*reads.back(), context.path("small"), 0, 1000,
                   [&account, entry = account.open("read_file")](FsRequest<FileBytes>&,
                                                                 Result<FileBytes> data) {
                     account.settle(entry);
                     account.expect(!data || data->size() == 5, "read_file() gave another size");
                   });
      stats.push_back(std::make_unique<FsRequest<Stat>>(loop));
      fs.stat(*stats.back(), context.path("small"),
              [&account, entry = account.open("stat")](FsRequest<Stat>&, Result<Stat>) {
                account.settle(entry);
              });
    }
    (void)stats.front()->cancel();
    (void)reads.back()->cancel();
    loop.run();
  });
}

void run_copies(Context& context) {
  {
    const Quietly quietly;
    ::mkdir(context.path("tree").c_str(), 0755);
    ::mkdir(context.path("tree/sub").c_str(), 0755);
    (void)!::symlink("file", context.path("tree/link").c_str());
  }
  const std::string text(70000, 'c');
  context.write(context.path("tree/file"), text);
  context.write(context.path("tree/sub/file"), "below");
  context.with_loop([&](Loop& loop) {
    Account& account = context.account;
    Fs fs(loop);
    FsRequest<void> plain(loop), cloned(loop), refused(loop), tree(loop), of_proc(loop);
    FsRequest<std::vector<Dirent>> entries(loop);
    FsRequest<std::string> folders(loop);
    const auto settled = [&account](const char* what) {
      return [&account, entry = account.open(what)](FsRequest<void>&, Result<void>) {
        account.settle(entry);
      };
    };
    const std::string from = context.path("tree/file");
    bool was_copied = false;
    fs.copy_file(plain, from, context.path("copy"), 0,
                 [&account, &was_copied, entry = account.open("copy_file")](FsRequest<void>&,
                                                                            Result<void> copied) {
                   account.settle(entry);
                   was_copied = copied.has_value();
                 });
    fs.copy_file(cloned, from, context.path("clone"), kCopyClone, settled("clone"));
    fs.copy_file(refused, from, context.path("forced"), kCopyCloneForce, settled("forced clone"));
    fs.copy_file(of_proc, "/proc/self/status", context.path("status"), 0,
                 settled("copy of a file of /proc"));
    fs.copy_tree(tree, context.path("tree"), context.path("trees"), 0, false, settled("copy_tree"));
    fs.readdir_all(entries, context.path("tree"), true,
                   [&account, entry = account.open("readdir_all")](
                       FsRequest<std::vector<Dirent>>&, Result<std::vector<Dirent>> found) {
                     account.settle(entry);
                     account.expect(!found || found->size() == 4,
                                    "readdir_all() succeeded without all entries");
                   });
    fs.mkdir_all(folders, context.path("one/two/three"), 0755,
                 [&account, entry = account.open("mkdir_all")](
                     FsRequest<std::string>&, Result<std::string>) { account.settle(entry); });
    loop.run();
    context.expect(!was_copied || context.content(context.path("copy")) == text,
                   "copy_file() succeeded with another copy");
  });
}

}  // namespace rondo::faults

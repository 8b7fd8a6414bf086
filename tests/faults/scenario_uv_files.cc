// Scenarios for uv.h: files, directories and their watchers.
#include <fcntl.h>
#include <unistd.h>

#include "scenario_uv.h"

namespace rondo::faults {
namespace {

using File = Counted<uv_fs_t>;

// Runs an operation on the pool, and the loop until its callback. Returns the result.
template <class Start>
ssize_t on_pool(UvLoop& loop, File& file, const char* what, Start&& start) {
  const int failed = file.begin(loop.context(), what, [&](uv_fs_t* request) {
    return start(request,
                 [](uv_fs_t* done) { File::finish(done, context_of(done->loop).account); });
  });
  if (failed != 0) return failed;
  loop.run();
  return file.request.result;
}

template <class Start>
ssize_t once(UvLoop& loop, const char* what, Start&& start) {
  File file;
  const ssize_t result = on_pool(loop, file, what, start);
  uv_fs_req_cleanup(&file.request);
  return result;
}

// Writes and reads a file. Either all of it has been written, or an operation has failed.
void write_and_read(UvLoop& loop, const std::string& path) {
  Context& context = loop.context();
  constexpr char kText[] = "some bytes";
  char buffer[32] = {};
  uv_buf_t parts[] = {uv_buf_init(const_cast<char*>(kText), 5),
                      uv_buf_init(const_cast<char*>(kText) + 5, 5)};
  uv_buf_t whole = uv_buf_init(buffer, sizeof buffer);
  uv_loop_t* const uv = loop.get();
  const ssize_t opened = once(loop, "open", [&](uv_fs_t* request, uv_fs_cb cb) {
    return uv_fs_open(uv, request, path.c_str(), O_RDWR | O_CREAT, 0600, cb);
  });
  if (opened < 0) return;
  const auto fd = static_cast<uv_file>(opened);
  const ssize_t written = once(loop, "write", [&](uv_fs_t* request, uv_fs_cb cb) {
    return uv_fs_write(uv, request, fd, parts, 2, 0, cb);
  });
  const ssize_t read = once(loop, "read", [&](uv_fs_t* request, uv_fs_cb cb) {
    return uv_fs_read(uv, request, fd, &whole, 1, 0, cb);
  });
  context.expect(written < 0 || read < 0 || read == written, "a file lost bytes without an error");
  (void)once(loop, "read at the position", [&](uv_fs_t* request, uv_fs_cb cb) {
    return uv_fs_read(uv, request, fd, &whole, 1, -1, cb);
  });
  (void)once(loop, "fsync",
             [&](uv_fs_t* request, uv_fs_cb cb) { return uv_fs_fsync(uv, request, fd, cb); });
  (void)once(loop, "fdatasync",
             [&](uv_fs_t* request, uv_fs_cb cb) { return uv_fs_fdatasync(uv, request, fd, cb); });
  (void)once(loop, "fstat",
             [&](uv_fs_t* request, uv_fs_cb cb) { return uv_fs_fstat(uv, request, fd, cb); });
  uv_fs_t request;
  (void)uv_fs_ftruncate(uv, &request, fd, 100, nullptr);
  (void)uv_fs_futime(uv, &request, fd, 1, 2, nullptr);
  (void)uv_fs_fchmod(uv, &request, fd, 0644, nullptr);
  (void)uv_fs_fchown(uv, &request, fd, ::geteuid(), ::getegid(), nullptr);
  const ssize_t closed = once(loop, "close", [&](uv_fs_t* close_request, uv_fs_cb cb) {
    return uv_fs_close(uv, close_request, fd, cb);
  });
  context.expect(closed <= 0, "a close has a positive result");
}

void use_paths(UvLoop& loop, const std::string& path) {
  uv_loop_t* const uv = loop.get();
  const std::string other = loop.context().path("other");
  const auto on_path = [&](const char* what, auto function) {
    (void)once(loop, what, [&](uv_fs_t* request, uv_fs_cb cb) {
      return function(uv, request, path.c_str(), cb);
    });
  };
  on_path("stat", uv_fs_stat);
  on_path("lstat", uv_fs_lstat);
  on_path("statfs", uv_fs_statfs);
  on_path("realpath", uv_fs_realpath);
  uv_fs_t request;
  const auto now = [&request](int) { uv_fs_req_cleanup(&request); };
  now(uv_fs_stat(uv, &request, path.c_str(), nullptr));
  now(uv_fs_access(uv, &request, path.c_str(), R_OK, nullptr));
  now(uv_fs_chmod(uv, &request, path.c_str(), 0600, nullptr));
  now(uv_fs_chown(uv, &request, path.c_str(), ::geteuid(), ::getegid(), nullptr));
  now(uv_fs_lchown(uv, &request, path.c_str(), ::geteuid(), ::getegid(), nullptr));
  now(uv_fs_utime(uv, &request, path.c_str(), 1, 2, nullptr));
  now(uv_fs_lutime(uv, &request, path.c_str(), 1, 2, nullptr));
  now(uv_fs_copyfile(uv, &request, path.c_str(), other.c_str(), 0, nullptr));
  now(uv_fs_unlink(uv, &request, other.c_str(), nullptr));
  now(uv_fs_link(uv, &request, path.c_str(), other.c_str(), nullptr));
  now(uv_fs_unlink(uv, &request, other.c_str(), nullptr));
  now(uv_fs_symlink(uv, &request, path.c_str(), other.c_str(), 0, nullptr));
  now(uv_fs_readlink(uv, &request, other.c_str(), nullptr));
  now(uv_fs_rename(uv, &request, other.c_str(), loop.context().path("third").c_str(), nullptr));
  const uv_file from = uv_fs_open(uv, &request, path.c_str(), O_RDONLY, 0, nullptr);
  uv_fs_req_cleanup(&request);
  const uv_file to = uv_fs_open(uv, &request, other.c_str(), O_RDWR | O_CREAT, 0600, nullptr);
  uv_fs_req_cleanup(&request);
  if (from >= 0 && to >= 0) now(uv_fs_sendfile(uv, &request, to, from, 0, 10, nullptr));
  if (from >= 0) now(uv_fs_close(uv, &request, from, nullptr));
  if (to >= 0) now(uv_fs_close(uv, &request, to, nullptr));
}

void use_temporary(UvLoop& loop) {
  uv_fs_t request;
  const std::string pattern = loop.context().path("XXXXXX");
  if (uv_fs_mkdtemp(loop.get(), &request, pattern.c_str(), nullptr) == 0) {
    uv_fs_t removal;
    (void)uv_fs_rmdir(loop.get(), &removal, request.path, nullptr);
    uv_fs_req_cleanup(&removal);
  }
  uv_fs_req_cleanup(&request);
  const uv_file made = uv_fs_mkstemp(loop.get(), &request, pattern.c_str(), nullptr);
  uv_fs_req_cleanup(&request);
  if (made >= 0) (void)uv_fs_close(loop.get(), &request, made, nullptr);
}

void list(UvLoop& loop, const std::string& path) {
  Context& context = loop.context();
  File listing;
  uv_loop_t* const uv = loop.get();
  const ssize_t found = on_pool(loop, listing, "scandir", [&](uv_fs_t* request, uv_fs_cb cb) {
    return uv_fs_scandir(uv, request, path.c_str(), 0, cb);
  });
  ssize_t entries = 0;
  for (uv_dirent_t entry; uv_fs_scandir_next(&listing.request, &entry) == 0;) ++entries;
  context.expect(found < 0 || entries == found, "a list of a directory has other entries");
  uv_fs_req_cleanup(&listing.request);

  File open;
  const ssize_t opened = on_pool(loop, open, "opendir", [&](uv_fs_t* request, uv_fs_cb cb) {
    return uv_fs_opendir(uv, request, path.c_str(), cb);
  });
  auto* const directory = static_cast<uv_dir_t*>(open.request.ptr);
  uv_fs_req_cleanup(&open.request);
  if (opened != 0) return;
  uv_dirent_t entries_of_one_read[2];
  directory->dirents = entries_of_one_read;
  directory->nentries = 2;
  ssize_t read = 0;
  do {
    read = once(loop, "readdir", [&](uv_fs_t* request, uv_fs_cb cb) {
      return uv_fs_readdir(uv, request, directory, cb);
    });
  } while (read > 0);
  (void)once(loop, "closedir", [&](uv_fs_t* request, uv_fs_cb cb) {
    return uv_fs_closedir(uv, request, directory, cb);
  });
}

// A change that a watcher reports, or an error of the watcher.
void watch(UvLoop& loop, const std::string& path) {
  static uv_fs_event_t events;
  static uv_fs_poll_t polls;
  (void)uv_fs_event_init(loop.get(), &events);
  (void)uv_fs_poll_init(loop.get(), &polls);
  const int watches = uv_fs_event_start(
      &events, [](uv_fs_event_t* self, const char*, int, int) { close(self); }, path.c_str(), 0);
  (void)uv_fs_poll_start(
      &polls,
      [](uv_fs_poll_t* self, int, const uv_stat_t*, const uv_stat_t*) {
        (void)uv_fs_poll_stop(self);
      },
      path.c_str(), 1);
  static uv_timer_t limit;
  (void)uv_timer_init(loop.get(), &limit);
  const auto give_up = [](uv_timer_t*) {
    close(&events);
    close(&polls);
    close(&limit);
  };
  (void)uv_timer_start(&limit, give_up, watches == 0 ? 20 : 1, 0);
  loop.context().write(path, "other bytes");
  loop.run();
}

}  // namespace

void run_uv_files(Context& context) {
  UvLoop loop(context);
  if (!loop.is_open()) return;
  const std::string path = context.path("file");
  write_and_read(loop, path);
  context.write(path, "some bytes of the test");
  use_paths(loop, path);
  use_temporary(loop);
  const std::string folder = context.path("folder");
  uv_fs_t request;
  (void)uv_fs_mkdir(loop.get(), &request, folder.c_str(), 0700, nullptr);
  uv_fs_req_cleanup(&request);
  for (const char* name : {"a", "b", "c"}) context.write(context.path(name), "text");
  list(loop, context.dir);
  (void)uv_fs_rmdir(loop.get(), &request, folder.c_str(), nullptr);
  uv_fs_req_cleanup(&request);
  watch(loop, path);
}

}  // namespace rondo::faults

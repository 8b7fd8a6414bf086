// uv_process_t is a Process.
#include "io/process/process.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "uv/run/orders.h"
#include "uv/stream/stream.h"

namespace rondo::uv {
namespace {

// The parent's ends of the pipes that uv_spawn() creates, until they belong to streams.
struct Pipes {
  std::vector<std::pair<Fd, Fd>> pairs;  // The parent's end, the child's.
};

int add_stdio(const uv_stdio_container_t& container, ProcessOptions& out, Pipes& pipes) {
  constexpr int kKinds = UV_IGNORE | UV_CREATE_PIPE | UV_INHERIT_FD | UV_INHERIT_STREAM;
  pipes.pairs.emplace_back();
  const int kind = container.flags & kKinds;
  if (kind == UV_IGNORE) {
    out.stdio.push_back(Stdio::ignore());
    return 0;
  }
  if (kind == UV_CREATE_PIPE) {
    if (container.data.stream->type != UV_NAMED_PIPE) return UV_EINVAL;
    int pair[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) return -errno;
    pipes.pairs.back() = {Fd(pair[0]), Fd(pair[1])};
    out.stdio.push_back(Stdio::inherit(pair[1]));
    return 0;
  }
  int fd = container.data.fd;
  if (kind == UV_INHERIT_STREAM) fd = fd_of(container.data.stream);
  if (fd < 0) return UV_EINVAL;
  out.stdio.push_back(Stdio::inherit(fd));
  return 0;
}

int translate(const uv_process_options_t& options, ProcessOptions& out, Pipes& pipes) {
  out.file = options.file;
  for (char** arg = options.args; arg != nullptr && *arg != nullptr; ++arg) {
    out.args.emplace_back(*arg);
  }
  if (options.env != nullptr) {
    out.env.emplace();
    for (char** item = options.env; *item != nullptr; ++item) out.env->emplace_back(*item);
  }
  if (options.cwd != nullptr) out.cwd = options.cwd;
  if ((options.flags & UV_PROCESS_SETUID) != 0) out.uid = options.uid;
  if ((options.flags & UV_PROCESS_SETGID) != 0) out.gid = options.gid;
  out.detached = (options.flags & UV_PROCESS_DETACHED) != 0;
  for (int i = 0; i < options.stdio_count; ++i) {
    if (const int failed = add_stdio(options.stdio[i], out, pipes); failed != 0) return failed;
  }
  return 0;
}

int open_streams(const uv_process_options_t& options, Pipes& pipes) {
  for (int i = 0; i < options.stdio_count; ++i) {
    const uv_stdio_container_t& container = options.stdio[i];
    if ((container.flags & UV_CREATE_PIPE) == 0) continue;
    Fd& own = pipes.pairs[static_cast<size_t>(i)].first;
    if (const int failed = set_nonblocking(own.get(), true); failed != 0) return failed;
    // The directions are those of the child.
    unsigned flags = 0;
    if ((container.flags & UV_WRITABLE_PIPE) != 0) flags |= kReadable;
    if ((container.flags & UV_READABLE_PIPE) != 0) flags |= kWritable;
    const int failed = stream_behind(container.data.stream).open(own.get(), flags, true);
    if (failed != 0) return failed;
    (void)own.release();
  }
  return 0;
}

void exited(uv_process_t* handle, const Result<ProcessExit>& exit) {
  copy_state(handle);
  const FunctionScope scope(handle->loop, behind(handle)->id(), handle->exit_cb);
  if (handle->exit_cb == nullptr) return;
  // Unknown if other code has waited for the child.
  const int64_t status = exit ? exit->status : -exit.error().code;
  handle->exit_cb(handle, status, exit ? exit->signal : 0);
}

}  // namespace
}  // namespace rondo::uv

using namespace rondo;
using namespace rondo::uv;

extern "C" {

int uv_spawn(uv_loop_t* loop, uv_process_t* handle, const uv_process_options_t* options) {
  RONDO_ASSERT(options->file != nullptr);
  init_handle(loop, handle, UV_PROCESS, new Process(loop_of(loop)));
  handle->exit_cb = options->exit_cb;
  handle->pid = 0;
  handle->status = 0;
  queue_init(handle->queue);
  note_outside(Outside::child_process);
  ProcessOptions translated;
  Pipes pipes;
  if (const int failed = translate(*options, translated, pipes); failed != 0) return failed;
  Process& process = behind_as<Process>(handle);
  // A Process takes an empty folder for the parent's.
  const bool has_folder = options->cwd == nullptr || *options->cwd != '\0';
  const Result<void> started =
      has_folder ? process.spawn(translated,
                                 [handle](Process&, const Result<ProcessExit>& exit) {
                                   exited(handle, exit);
                                 })
                 : Result<void>(Error{ENOENT, "chdir"});
  if (started) {
    handle->pid = process.pid();
    copy_state(handle);
  }
  // Also if the program could not be started: its streams end at once.
  for (auto& [own, of_child] : pipes.pairs) of_child.reset();
  const int failed = open_streams(*options, pipes);
  return started ? failed : -started.error().code;
}

int uv_process_kill(uv_process_t* handle, int signum) { return uv_kill(handle->pid, signum); }

int uv_kill(int pid, int signum) { return ::kill(pid, signum) < 0 ? -errno : 0; }

uv_pid_t uv_process_get_pid(const uv_process_t* handle) { return handle->pid; }

void uv_disable_stdio_inheritance(void) {
  // Descriptors are usually numbered without gaps; beyond the first 16, a gap ends the search.
  constexpr int kAlwaysTried = 15;
  for (int fd = 0;; ++fd) {
    if (::fcntl(fd, F_SETFD, FD_CLOEXEC) < 0 && fd > kAlwaysTried) return;
  }
}

}  // extern "C"

#include "uv/control/report.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "base/control/blocked_call.h"
#include "base/encoding/json.h"
#include "base/file_name.h"
#include "io/net/address.h"
#include "loop/phases/timers.h"
#include "uv/core/handle.h"
#include "uv/trace/symbols.h"
#include "uv/work/job.h"

namespace rondo::uv {

namespace {

using encoding::json_of_utf8;

// As many as Rondo's own runtime lists.
constexpr size_t kMostReasons = 10'000;

// Adds members to Reason::details.
void add(Reason* reason, const char* name, const std::string& json) {
  if (!reason->details.empty()) reason->details += ',';
  reason->details.append("\"").append(name).append("\":").append(json);
}
void add_text(Reason* reason, const char* name, const std::string& text) {
  if (!text.empty()) add(reason, name, json_of_utf8(text));
}

template <class F>
uintptr_t address_of(F* function) {
  return reinterpret_cast<uintptr_t>(function);
}

std::string seconds(int64_t ms) {
  if (ms < 1000) return std::to_string(std::max<int64_t>(ms, 0)) + " ms";
  char text[32];
  std::snprintf(text, sizeof text, "%.1f s", static_cast<double>(ms) / 1000);
  return text;
}

std::string text_of(const Result<SocketAddress>& address) {
  return address && address->size() != 0 ? address->to_string() : std::string();
}

// The command line of a child, with blanks between its words.
std::string command_of(int pid) {
  std::FILE* const file = std::fopen(("/proc/" + std::to_string(pid) + "/cmdline").c_str(), "re");
  if (file == nullptr) return {};
  char text[256];
  const size_t size = std::fread(text, 1, sizeof text, file);
  std::fclose(file);
  std::string command(text, size);
  while (!command.empty() && command.back() == '\0') command.pop_back();
  std::replace(command.begin(), command.end(), '\0', ' ');
  return command;
}

void describe_timer(const uv_timer_t* timer, Reason* reason) {
  const auto left = static_cast<int64_t>(uv_timer_get_due_in(timer));
  reason->function = address_of(timer->timer_cb);
  reason->text =
      timer->repeat == 0 ? "timer" : "timer, every " + seconds(static_cast<int64_t>(timer->repeat));
  reason->rest = left > 0 ? "due in " + seconds(left) : "due now";
  add(reason, "dueIn", std::to_string(left));
  add(reason, "repeat", std::to_string(timer->repeat));
}

void describe_connection(const uv_stream_t* stream, int fd, Reason* reason) {
  const bool is_tcp = stream->type == UV_TCP;
  const std::string local = text_of(SocketAddress::of_socket(fd));
  const std::string remote = text_of(SocketAddress::of_peer(fd));
  add_text(reason, "local", local);
  add_text(reason, "remote", remote);
  if (stream->connect_req != nullptr) {
    reason->text =
        is_tcp ? "TCP connection that is being made" : "Unix socket connection that is being made";
    reason->function = address_of(stream->connect_req->cb);
    return;
  }
  if (is_tcp) {
    reason->text = remote.empty() ? "TCP connection whose other end has gone"
                                  : "TCP connection between " + local + " and " + remote;
  } else {
    const bool has_path = !local.empty() && local != "unnamed" && local != "nowhere";
    const std::string& path = has_path ? local : remote;
    reason->text = path.empty() || path == "unnamed" || path == "nowhere"
                       ? "pipe, descriptor " + std::to_string(fd)
                       : "Unix socket connection on " + path;
  }
  reason->function = address_of(stream->read_cb);
}

void describe_stream(const uv_stream_t* stream, Reason* reason) {
  const int fd = fd_of(stream);
  add(reason, "fd", std::to_string(fd));
  if (stream->type == UV_TTY) {
    const std::string path = name_of_descriptor(fd);
    add_text(reason, "path", path);
    reason->text = "terminal " + path;
    reason->function = address_of(stream->read_cb);
  } else if (has_flags(stream, kListening) || stream->connection_cb != nullptr) {
    const std::string address = text_of(SocketAddress::of_socket(fd));
    reason->type += " server";
    add_text(reason, "address", address);
    reason->text = (stream->type == UV_TCP ? "TCP server on " : "Unix socket server on ") +
                   (address.empty() ? "no address" : address);
    reason->function = address_of(stream->connection_cb);
  } else {
    describe_connection(stream, fd, reason);
  }
  if (stream->write_queue_size > 0) {
    reason->rest = std::to_string(stream->write_queue_size) + " bytes wait to be written";
    add(reason, "queued", std::to_string(stream->write_queue_size));
  }
}

void describe_udp(const uv_udp_t* socket, Reason* reason) {
  const int fd = fd_of(socket);
  const std::string local = text_of(SocketAddress::of_socket(fd));
  const std::string remote = text_of(SocketAddress::of_peer(fd));
  add(reason, "fd", std::to_string(fd));
  add_text(reason, "local", local);
  add_text(reason, "remote", remote);
  reason->text = "UDP socket on " + (local.empty() ? "no address" : local) +
                 (remote.empty() ? "" : ", connected to " + remote);
  reason->function = address_of(socket->recv_cb);
  if (socket->send_queue_count > 0) {
    reason->rest = std::to_string(socket->send_queue_count) + " datagrams wait to be sent";
  }
}

void describe_process(const uv_process_t* process, Reason* reason) {
  const std::string command = command_of(process->pid);
  add(reason, "pid", std::to_string(process->pid));
  add_text(reason, "command", command);
  reason->text = "child process " + std::to_string(process->pid) +
                 (command.empty() ? "" : " (" + command + ")");
  reason->function = address_of(process->exit_cb);
}

void describe_poll(const uv_poll_t* poll, Reason* reason) {
  const int fd = fd_of(poll);
  const std::string path = name_of_descriptor(fd);
  add(reason, "fd", std::to_string(fd));
  add_text(reason, "path", path);
  reason->text =
      "watch of descriptor " + std::to_string(fd) + (path.empty() ? "" : " (" + path + ")");
  reason->function = address_of(poll->poll_cb);
}

void describe_signal(const uv_signal_t* signal, Reason* reason) {
  const char* const name = ::sigabbrev_np(signal->signum);
  const std::string text =
      name == nullptr ? std::to_string(signal->signum) : std::string("SIG") + name;
  add_text(reason, "signal", text);
  reason->text = "handler of " + text;
  reason->function = address_of(signal->signal_cb);
}

void describe_file(uv_handle_t* handle, Reason* reason) {
  char path[4096];
  size_t size = sizeof path;
  const bool is_event = handle->type == UV_FS_EVENT;
  const int code = is_event
                       ? uv_fs_event_getpath(reinterpret_cast<uv_fs_event_t*>(handle), path, &size)
                       : uv_fs_poll_getpath(reinterpret_cast<uv_fs_poll_t*>(handle), path, &size);
  const std::string watched = code == 0 ? path : "";
  add_text(reason, "path", watched);
  reason->text = "watcher of '" + watched + "'";
  if (is_event) reason->function = address_of(reinterpret_cast<uv_fs_event_t*>(handle)->cb);
}

Reason reason_of(uv_handle_t* handle) {
  Reason reason;
  reason.type = uv_handle_type_name(handle->type);
  reason.text = reason.type;
  switch (handle->type) {
    case UV_TIMER: describe_timer(reinterpret_cast<uv_timer_t*>(handle), &reason); break;
    case UV_TCP:
    case UV_NAMED_PIPE:
    case UV_TTY: describe_stream(reinterpret_cast<uv_stream_t*>(handle), &reason); break;
    case UV_UDP: describe_udp(reinterpret_cast<uv_udp_t*>(handle), &reason); break;
    case UV_PROCESS: describe_process(reinterpret_cast<uv_process_t*>(handle), &reason); break;
    case UV_POLL: describe_poll(reinterpret_cast<uv_poll_t*>(handle), &reason); break;
    case UV_SIGNAL: describe_signal(reinterpret_cast<uv_signal_t*>(handle), &reason); break;
    case UV_FS_EVENT:
    case UV_FS_POLL: describe_file(handle, &reason); break;
    case UV_ASYNC:
      reason.function = address_of(reinterpret_cast<uv_async_t*>(handle)->async_cb);
      break;
    case UV_IDLE:
      reason.function = address_of(reinterpret_cast<uv_idle_t*>(handle)->idle_cb);
      break;
    case UV_PREPARE:
      reason.function = address_of(reinterpret_cast<uv_prepare_t*>(handle)->prepare_cb);
      break;
    case UV_CHECK:
      reason.function = address_of(reinterpret_cast<uv_check_t*>(handle)->check_cb);
      break;
    default: break;
  }
  return reason;
}

// Every Request of a loop of this layer is a Job.
Reason reason_of(const Job& job) {
  Reason reason;
  reason.type = job.label();
  reason.text = job.label();
  reason.function = job.function();
  if (job.request()->type == UV_WORK) reason.text = "job on the pool";
  if (job.request()->type == UV_GETADDRINFO) reason.text = "look-up of a name";
  if (job.request()->type == UV_GETNAMEINFO) reason.text = "look-up of an address";
  if (job.request()->type == UV_FS) {
    const auto* const fs = reinterpret_cast<const uv_fs_t*>(job.request());
    reason.text = std::string("file operation ") + job.label();
    if (fs->path != nullptr) {
      add_text(&reason, "path", fs->path);
      reason.text += std::string(" '") + fs->path + "'";
    }
  }
  return reason;
}

void add_others(const uv_loop_t* loop, std::vector<Reason>* reasons) {
  const auto count = [reasons](size_t number, const char* type, const char* one, const char* many) {
    if (number == 0) return;
    Reason reason;
    reason.type = type;
    reason.text = number == 1 ? one : std::to_string(number) + many;
    reasons->push_back(std::move(reason));
  };
  count(loop_of(loop).closing_handles(), "closing", "a handle that is being closed",
        " handles that are being closed");
  count(loop->active_handles - data_of(loop).counted_handles, "counted",
        "an operation that the program counts itself",
        " operations that the program counts itself");
}

}  // namespace

std::vector<Reason> reasons_of(const uv_loop_t* loop) {
  std::vector<Reason> reasons;
  const uv__queue& queue = loop->handle_queue;
  for (uv__queue* link = queue.next; link != &queue && reasons.size() < kMostReasons;
       link = link->next) {
    auto* const handle = queue_owner(link, &uv_handle_t::handle_queue);
    if (has_flags(handle, kActive | kRef) && !is_closing(handle))
      reasons.push_back(reason_of(handle));
  }
  loop_of(loop).for_each_request([&reasons](Request& request) {
    if (reasons.size() < kMostReasons) reasons.push_back(reason_of(static_cast<Job&>(request)));
  });
  add_others(loop, &reasons);
  return reasons;
}

void read_figures(const uv_loop_t* loop, Report* report) {
  Loop& own = loop_of(loop);
  report->metrics = own.metrics();
  report->idle = own.idle_time(RealClock::instance().now());
  report->handles = own.active_handles();
  report->requests = loop->active_reqs.count;
  report->closing = own.closing_handles();
  report->timers = 0;
  own.for_each_handle([report](Handle& handle) {
    if (handle.kind() == HandleKind::timer && handle.is_active() && handle.has_ref())
      ++report->timers;
  });
  const ThreadPool* const pool = own.internals().pool_if_used();
  report->pool_size = pool == nullptr ? 0 : pool->size();
  report->pool_queued = pool == nullptr ? 0 : pool->queued();
  report->pool_running = pool == nullptr ? 0 : pool->running();
}

std::string stack_json(uintptr_t function) {
  if (function == 0) return "[]";
  const FunctionName name = name_of_function(function);
  return R"([{"function":)" + json_of_utf8(name.function) + R"(,"file":)" +
         json_of_utf8(name.file) + "}]";
}

std::string json_of(const std::vector<Reason>& reasons, const std::string& prefix) {
  std::string result;
  for (const Reason& reason : reasons) {
    if (!result.empty()) result += ',';
    std::string text = prefix + reason.text;
    std::string place = "null";
    if (reason.function != 0) {
      const FunctionName name = name_of_function(reason.function);
      text += ", callback " + name.function + " (" + name.file + ")";
      place = R"({"function":)" + json_of_utf8(name.function) + R"(,"file":)" +
              json_of_utf8(name.file) + "}";
    }
    if (!reason.rest.empty()) text += ", " + reason.rest;
    result += R"({"type":)" + json_of_utf8(reason.type) + R"(,"place":)" + place +
              R"(,"details":{)" + reason.details + R"(},"description":)" + json_of_utf8(text) + "}";
  }
  return result;
}

std::string json_of_figures(const Report& report) {
  const LoopMetrics& metrics = report.metrics;
  std::string phases;
  for (size_t i = 0; i < kPhaseCount; ++i) {
    if (i > 0) phases += ',';
    phases.append("\"").append(phase_name(static_cast<Phase>(i))).append("\":");
    phases += ms_json(metrics.phase_time[i]);
  }
  const auto number = [](const char* name, uint64_t value) {
    return std::string("\"") + name + "\":" + std::to_string(value);
  };
  return "{\"now\":" +
         ms_json(metrics.started < Nanos::zero() ? Nanos::zero()
                                                 : RealClock::instance().now() - metrics.started) +
         "," + number("turns", metrics.turns) + "," + number("events", metrics.events) + "," +
         number("callbacks", metrics.callbacks) + ",\"idle\":" + ms_json(report.idle) +
         ",\"phases\":{" + phases + "},\"queues\":{" + number("timers", report.timers) + "," +
         number("handles", report.handles) + "," + number("requests", report.requests) + "," +
         number("closing", report.closing) + "},\"pool\":{" + number("size", report.pool_size) +
         "," + number("queued", report.pool_queued) + "," + number("running", report.pool_running) +
         "}}";
}

std::string json_of_lag(const LoopMetrics& metrics) {
  std::string result = "[";
  for (size_t i = 0; i < Histogram::kBuckets; ++i) {
    if (metrics.lag.bucket(i) == 0) continue;
    if (result.size() > 1) result += ',';
    result.append("[").append(ms_json(Histogram::edge(i))).append(",");
    result.append(std::to_string(metrics.lag.bucket(i))).append("]");
  }
  return result + "]";
}

}  // namespace rondo::uv

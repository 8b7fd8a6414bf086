// The kinds of handles, with their names in traces, in `rondo why` and in process.loop.alive().
// Code that must know what a handle is compares kinds, never names.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rondo {

// The order is that of kHandleKinds.
enum class HandleKind : uint8_t {
  other,  // A handle of the library's user; it brings its own label.
  timer,
  idle,
  prepare,
  check,
  async,
  poll,
  signal,
  process,
  fs_watch,
  fs_poll,
  tcp_socket,
  tcp_server,
  pipe,
  pipe_server,
  tty,
  udp,
  // Timers, polls and asyncs that serve one purpose: see Handle::set_kind().
  message_port,
  worker,
  locks,
  thread,
  ipc_channel,
  dns_query,
  dns_socket,
  count,
};

struct HandleKindName {
  HandleKind kind;
  const char* key;    // The property of internalBinding('loop').handleKinds.
  const char* label;  // The name for people.
};

inline constexpr HandleKindName kHandleKinds[] = {
    {HandleKind::other, "other", "handle"},
    {HandleKind::timer, "timer", "timer"},
    {HandleKind::idle, "idle", "idle"},
    {HandleKind::prepare, "prepare", "prepare"},
    {HandleKind::check, "check", "check"},
    {HandleKind::async, "async", "async"},
    {HandleKind::poll, "poll", "poll"},
    {HandleKind::signal, "signal", "signal"},
    {HandleKind::process, "process", "process"},
    {HandleKind::fs_watch, "fsWatch", "fs watch"},
    {HandleKind::fs_poll, "fsPoll", "fs poll"},
    {HandleKind::tcp_socket, "tcpSocket", "tcp socket"},
    {HandleKind::tcp_server, "tcpServer", "tcp server"},
    {HandleKind::pipe, "pipe", "pipe"},
    {HandleKind::pipe_server, "pipeServer", "pipe server"},
    {HandleKind::tty, "tty", "tty"},
    {HandleKind::udp, "udp", "udp socket"},
    {HandleKind::message_port, "messagePort", "message port"},
    {HandleKind::worker, "worker", "worker"},
    {HandleKind::locks, "locks", "locks"},
    {HandleKind::thread, "thread", "thread"},
    {HandleKind::ipc_channel, "ipcChannel", "ipc channel"},
    {HandleKind::dns_query, "dnsQuery", "dns query"},
    {HandleKind::dns_socket, "dnsSocket", "dns socket"},
};

consteval bool are_handle_kinds_complete() {
  size_t index = 0;
  for (const HandleKindName& row : kHandleKinds) {
    if (static_cast<size_t>(row.kind) != index++) return false;
  }
  return index == static_cast<size_t>(HandleKind::count);
}
static_assert(are_handle_kinds_complete());

constexpr const char* handle_kind_label(HandleKind kind) {
  return kHandleKinds[static_cast<size_t>(kind)].label;
}

}  // namespace rondo

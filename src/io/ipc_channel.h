// An IpcChannel carries messages between a process and its child, and descriptors beside them: a
// pair of Unix sockets, and bytes that say by themselves where a message ends.
// Phase: poll. Thread: the loop's only.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>

#include "base/callback.h"
#include "base/fd.h"
#include "base/result.h"
#include "io/poll.h"

namespace rondo {

class IpcChannel {
 public:
  enum class Framing : uint8_t {
    lines,  // A message ends with a line feed.
    sized,  // It begins with its size: four bytes, the highest first, which do not count.
  };
  // One or more whole messages, with what frames them; gone when the callback returns. Nothing: the
  // other side has closed, or is broken, and no more comes.
  using OnMessages = Callback<void(std::span<const char>)>;
  // So many of the writes that were queued are out, or lost where it failed.
  using OnWritten = Callback<void(size_t count, Result<void>)>;

  // Takes over a connected Unix socket.
  IpcChannel(Loop& loop, Fd fd, Framing framing);
  ~IpcChannel() { close(); }
  IpcChannel(const IpcChannel&) = delete;
  IpcChannel& operator=(const IpcChannel&) = delete;

  Result<void> start(OnMessages on_messages, OnWritten on_written);

  enum class Sent : uint8_t { now, queued };
  // `descriptor`, if there is one, is duplicated, and arrives with the first byte. After an error
  // nothing of the message arrives, or the other side sees the end of the channel.
  Result<Sent> write(std::string message, int descriptor = -1);
  size_t queued_bytes() const { return queued_bytes_; }

  // The next of the descriptors that have arrived, in the order in which they were sent; -1 if
  // there is none.
  int take_descriptor();

  // Keeps the loop alive while it waits for messages. Writes that wait do in any case.
  void set_ref(bool has_ref);
  // Idempotent, and safe inside the callbacks. What is queued is dropped.
  void close();
  bool is_open() const { return static_cast<bool>(fd_); }
  // What waits for messages; null once it is closed.
  const Handle* handle() const { return poll_.get(); }

 private:
  struct Waiting {
    std::string bytes;
    size_t sent = 0;
    Fd descriptor;
  };
  void ready(uint32_t events);
  void fail(Error error);
  void read();
  bool receive();
  size_t complete();
  void deliver(std::span<const char> messages);
  void flush();
  ssize_t send(const char* data, size_t size, int descriptor);
  Result<void> watch();
  void update_ref();

  Owned<Poll> poll_;
  Fd fd_;
  Framing framing_;
  bool has_ref_ = true;
  bool is_at_end_ = false;
  std::string buffer_;  // What has arrived of messages that are not whole yet.
  size_t scanned_ = 0;  // Of it, without the end of a line.
  std::deque<Fd> descriptors_;
  std::deque<Waiting> queue_;
  size_t queued_bytes_ = 0;
  OnMessages on_messages_;
  OnWritten on_written_;
};

}  // namespace rondo

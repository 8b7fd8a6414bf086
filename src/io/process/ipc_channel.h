// An IpcChannel carries messages, and descriptors with them, between a process and its child: a
// pair of Unix sockets and a framing of messages. Closing it drops queued messages, and is safe
// inside the callbacks. Phase: poll. Thread: the loop's only.
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

class IpcChannel final : public Poll {
 public:
  enum class Framing : uint8_t {
    lines,  // A message ends with a line feed.
    sized,  // A message begins with its size: four bytes, big-endian, not counting themselves.
  };
  // Gets one or more whole messages, including their framing; valid until the callback returns.
  // Empty: the other side has closed or the channel has failed, and no more messages arrive.
  using OnMessages = Callback<void(std::span<const char>)>;
  // Called when `count` queued writes have been sent, or lost if there is an error.
  using OnWritten = Callback<void(size_t count, Result<void>)>;

  // Takes over a connected Unix socket.
  IpcChannel(Loop& loop, Fd fd, Framing framing);

  Result<void> start(OnMessages on_messages, OnWritten on_written);

  enum class Sent : uint8_t { now, queued };
  // `descriptor`, if given, is duplicated and sent with the first byte. After an error nothing of
  // the message arrives, or the other side sees the end of the channel.
  Result<Sent> write(std::string message, int descriptor = -1);
  size_t queued_bytes() const { return queued_bytes_; }

  // The next received descriptor, in the order of sending; -1 if there is none.
  int take_descriptor();

  // True if waiting for messages shall keep the loop alive. Pending writes always do.
  void set_ref(bool has_ref);
  bool is_open() const { return static_cast<bool>(fd_); }

 private:
  struct Waiting {
    std::string bytes;
    size_t sent = 0;
    Fd descriptor;
  };
  void on_closing() override;
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

  Fd fd_;
  Framing framing_;
  bool waits_for_messages_ = true;
  bool is_at_end_ = false;
  std::string buffer_;  // Incomplete messages received so far.
  size_t scanned_ = 0;  // Prefix of buffer_ that is known to contain no line feed.
  std::deque<Fd> descriptors_;
  std::deque<Waiting> queue_;
  size_t queued_bytes_ = 0;
  OnMessages on_messages_;
  OnWritten on_written_;
};

}  // namespace rondo

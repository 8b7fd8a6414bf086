// A Tty is a stream over a terminal, with its modes and size.
#pragma once

#include "base/result.h"
#include "io/process/signal.h"
#include "io/stream/stream.h"

namespace rondo {

// The kind of a descriptor, to choose the handle for an inherited one.
enum class FdKind : uint8_t { file, pipe, tty, tcp, udp, unknown };
// Devices other than terminals count as files, Unix stream sockets as pipes. A descriptor that is
// not open is unknown.
FdKind guess_handle(int fd);

struct TerminalMode;

// Phase: poll (reads, writes, resizes). Thread: the loop's only, reset_mode() excepted.
class Tty final : public Stream {
 public:
  enum class Mode : uint8_t {
    normal,  // The terminal's original mode: lines, echo, Ctrl-C sends a signal.
    raw,     // Key by key: no echo, no signals; "\n" is still written as "\r\n".
    io,      // Unchanged bytes in both directions.
  };
  struct Size {
    int columns = 0;
    int rows = 0;
    friend bool operator==(const Size&, const Size&) = default;
  };
  using OnResize = Callback<void(Tty&, Size)>;

  explicit Tty(Loop& loop);
  ~Tty() override;

  static bool is_tty(int fd);

  // Opens the terminal behind a descriptor, which the caller keeps. It is opened a second time if
  // possible, because other processes share the first description and must not find it
  // non-blocking. If not possible (the master of a pseudo-terminal, another user's terminal), the
  // first is made non-blocking until close(). ENOTTY if it is not a terminal.
  Result<void> open(int fd);

  // The mode belongs to the terminal, not the handle: other processes see it, too. The close() of
  // the last Tty that had changed it restores the original mode.
  Result<void> set_mode(Mode mode);
  Mode mode() const { return mode_; }
  // Restores the modes of all terminals that were changed. For atexit(3), and for the handler of a
  // signal that ends the program: any thread, async-signal-safe. A background process does not
  // touch the terminal.
  static Result<void> reset_mode();

  Result<Size> window_size() const;
  // Calls back when the size has changed (SIGWINCH); a null function ends it. Does not keep the
  // loop alive.
  Result<void> watch_size(OnResize on_resize);

 private:
  void on_closing() override;
  void look_at_size();

  TerminalMode* saved_ = nullptr;  // Set exactly while the mode is not normal.
  Mode mode_ = Mode::normal;
  bool is_shared_ = false;  // The description is the caller's, and was blocking.
  Size last_size_;
  OnResize on_resize_;
  Owned<Signal> winch_;
};

}  // namespace rondo

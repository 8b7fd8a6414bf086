// A Tty is a stream over a terminal: its bytes, its modes, its size.
#pragma once

#include "base/result.h"
#include "io/signal.h"
#include "io/stream.h"

namespace rondo {

// What a descriptor is, to choose the handle for one that was inherited.
enum class FdKind : uint8_t { file, pipe, tty, tcp, udp, unknown };
// Devices that are no terminals count as files, Unix stream sockets as pipes. A descriptor that is
// not open is unknown.
FdKind guess_handle(int fd);

struct TerminalMode;

// Phase: poll (reads, writes, resizes). Thread: the loop's only, reset_mode() excepted.
class Tty final : public Stream {
 public:
  enum class Mode : uint8_t {
    normal,  // As the terminal was found: lines, echo, Ctrl-C sends a signal.
    raw,     // Key by key: no echo, no signals; "\n" still goes out as "\r\n".
    io,      // Bytes as they are, both ways.
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

  // The terminal behind a descriptor, which stays the caller's. It is opened a second time where
  // that is possible: other processes share the first description, and must not find it
  // non-blocking. Where it is not (the master of a pseudo-terminal, a terminal of another user's),
  // it is made non-blocking until close(). ENOTTY for what is no terminal.
  Result<void> open(int fd);

  // Belongs to the terminal, not the handle: others see it, too. close() puts back what was there
  // before any Tty changed it, when it is the last one that had.
  Result<void> set_mode(Mode mode);
  Mode mode() const { return mode_; }
  // Puts back the modes of all terminals that were changed. For atexit(3), and for the handler of a
  // signal that ends the program: any thread, async-signal-safe. A program in the background leaves
  // the terminal to the one in front.
  static Result<void> reset_mode();

  Result<Size> window_size() const;
  // Calls back when the size has changed, as SIGWINCH tells; a null function ends it. Does not keep
  // the loop alive.
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

#include "loop/pool/wake.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>

namespace rondo {

Result<void> Mailbox::open() {
  event_ = Fd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!event_) return Error::last("eventfd");
  return {};
}

// The poster sets is_notified_ and then reads is_paused_; the loop clears is_paused_ and then reads
// is_notified_. All sequentially consistent, so at least one of the two sees the other.
void Mailbox::write_event() {
  if (is_paused_.load(std::memory_order_seq_cst) || !event_) return;
  is_written_.store(true, std::memory_order_release);
  const uint64_t one = 1;
  ssize_t written;
  do {
    written = ::write(event_.get(), &one, sizeof one);
  } while (written < 0 && errno == EINTR);
  // EAGAIN: the counter is full, so the descriptor is readable already.
  RONDO_ASSERT(written == sizeof one || errno == EAGAIN);
}

void Mailbox::flush_writes() {
  if (!is_paused_.load(std::memory_order_relaxed)) return;
  resume_writes();
  if (is_notified()) write_event();
}

// The eventfd is drained before the flag is cleared: a poster that finds the flag cleared writes
// again, and that write must not be lost. A write still in progress is reported by the poller
// later, and causes an empty delivery.
void Mailbox::begin_delivery(bool is_reported) {
  uint64_t ignored;
  const bool is_written = is_written_.load(std::memory_order_acquire);
  if (event_ && (is_written || is_reported)) {
    is_written_.store(false, std::memory_order_relaxed);
    while (::read(event_.get(), &ignored, sizeof ignored) < 0 && errno == EINTR) {
    }
  }
  is_notified_.exchange(false, std::memory_order_seq_cst);
}

}  // namespace rondo

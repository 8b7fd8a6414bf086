#include "loop/pool/wake.h"

#include <sys/eventfd.h>

#include <cerrno>

namespace rondo {

Result<void> Mailbox::open() {
  event_ = Fd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!event_) return Error::last("eventfd");
  return {};
}

void Mailbox::post(Letter& letter) {
  letters_.push(letter);
  ring();
}

void Mailbox::nudge() {
  is_nudged_.store(true, std::memory_order_seq_cst);
  ring();
}

// Poster: put the letter in, then look whether the loop sleeps. Loop: say that it sleeps, then look
// for letters. Both in sequentially consistent order, so at least one of the two sees the other.
void Mailbox::ring() {
  if (!is_sleeping_.load(std::memory_order_seq_cst)) return;
  if (!is_sleeping_.exchange(false, std::memory_order_seq_cst)) return;  // Another one rings.
  const uint64_t one = 1;
  ssize_t written;
  do {
    written = ::write(event_.get(), &one, sizeof one);
  } while (written < 0 && errno == EINTR);
  // EAGAIN: the counter is full, which is an edge that the loop has yet to see.
  RONDO_ASSERT(written == sizeof one || errno == EAGAIN);
}

bool Mailbox::prepare_to_sleep() {
  is_sleeping_.store(true, std::memory_order_seq_cst);
  const bool nudged = is_nudged_.exchange(false, std::memory_order_seq_cst);
  if (!nudged && letters_.is_empty()) return true;
  is_sleeping_.store(false, std::memory_order_relaxed);
  return false;
}

}  // namespace rondo

// The minimum cost of a turn with io_uring, without a loop: one check of the ring. Uses no library
// and none of our code.
#include "loop/raw_uring.h"

#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

#include "loop/harness.h"

namespace bench {
namespace {

constexpr unsigned kEntries = 1024;

unsigned load_acquire(unsigned* word) {
  return std::atomic_ref<unsigned>(*word).load(std::memory_order_acquire);
}

class RawRing {
 public:
  RawRing() {
    io_uring_params params{};
    params.flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_CQSIZE;
    params.cq_entries = 8 * kEntries;
    fd_ = static_cast<int>(::syscall(SYS_io_uring_setup, kEntries, &params));
    if (fd_ < 0) die("io_uring_setup");
    // Since Linux 5.4 both rings are in one mapping.
    const size_t size = params.cq_off.cqes + params.cq_entries * sizeof(io_uring_cqe);
    char* rings = static_cast<char*>(map(size, fd_, IORING_OFF_SQ_RING));
    const auto word = [rings](unsigned offset) {
      return reinterpret_cast<unsigned*>(rings + offset);
    };
    cq_head_ = word(params.cq_off.head);
    cq_tail_ = word(params.cq_off.tail);
  }
  ~RawRing() { ::close(fd_); }
  RawRing(const RawRing&) = delete;
  RawRing& operator=(const RawRing&) = delete;

  bool has_events() const { return load_acquire(cq_tail_) != *cq_head_; }

 private:
  static void* map(size_t size, int fd, off_t offset) {
    const int flags = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED | MAP_POPULATE;
    void* memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, flags, fd, offset);
    if (memory == MAP_FAILED) die("mmap");
    return memory;
  }

  int fd_;
  unsigned *cq_head_, *cq_tail_;
};

}  // namespace

double raw_uring_turn(int turns, void (*read_clock)()) {
  RawRing ring;
  const double from = now_seconds();
  for (int i = 0; i < turns; ++i) {
    if (ring.has_events()) die("an event out of nowhere");
    read_clock();
  }
  return (now_seconds() - from) / turns * 1e9;
}

}  // namespace bench

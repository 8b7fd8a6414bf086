// What a loop over io_uring costs that is no loop: one ring, multishot accept and receive, provided
// buffers, sends that go out with the next wait. Nothing of ours in it, and no library.
#include "loop/raw_uring.h"

#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstring>

#include "loop/harness.h"

namespace bench {
namespace {

constexpr unsigned kEntries = 1024;
constexpr unsigned kBuffers = 1024;
constexpr size_t kBufferSize = 16 * 1024;

unsigned load_acquire(unsigned* word) {
  return std::atomic_ref<unsigned>(*word).load(std::memory_order_acquire);
}
void store_release(unsigned* word, unsigned value) {
  std::atomic_ref<unsigned>(*word).store(value, std::memory_order_release);
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
    sq_tail_ = word(params.sq_off.tail);
    sq_mask_ = *word(params.sq_off.ring_mask);
    cq_head_ = word(params.cq_off.head);
    cq_tail_ = word(params.cq_off.tail);
    cq_mask_ = *word(params.cq_off.ring_mask);
    cqes_ = reinterpret_cast<io_uring_cqe*>(rings + params.cq_off.cqes);
    sqes_ = static_cast<io_uring_sqe*>(
        map(params.sq_entries * sizeof(io_uring_sqe), fd_, IORING_OFF_SQES));
    unsigned* array = word(params.sq_off.array);
    for (unsigned i = 0; i < params.sq_entries; ++i) array[i] = i;
  }
  ~RawRing() { ::close(fd_); }
  RawRing(const RawRing&) = delete;
  RawRing& operator=(const RawRing&) = delete;

  io_uring_sqe& next() {
    if (to_submit_ == kEntries) enter(0);
    io_uring_sqe& entry = sqes_[*sq_tail_ & sq_mask_];
    std::memset(&entry, 0, sizeof entry);
    ++to_submit_;
    store_release(sq_tail_, *sq_tail_ + 1);
    return entry;
  }
  void enter(unsigned wait_for) {
    const long taken = ::syscall(SYS_io_uring_enter, fd_, to_submit_, wait_for,
                                 IORING_ENTER_GETEVENTS, nullptr, 0);
    if (taken < 0 && errno != EINTR) die("io_uring_enter");
    if (taken > 0) to_submit_ -= static_cast<unsigned>(taken);
  }
  bool has_events() const { return load_acquire(cq_tail_) != *cq_head_; }
  template <class Handle>
  void drain(Handle&& handle) {
    unsigned head = *cq_head_;
    for (const unsigned tail = load_acquire(cq_tail_); head != tail; ++head) {
      handle(cqes_[head & cq_mask_]);
    }
    store_release(cq_head_, head);
  }

  void register_buffers() {
    buffers_ = static_cast<char*>(map(kBuffers * kBufferSize, -1, 0));
    group_ = static_cast<io_uring_buf_ring*>(map(kBuffers * sizeof(io_uring_buf), -1, 0));
    io_uring_buf_reg registration{};
    registration.ring_addr = reinterpret_cast<uint64_t>(group_);
    registration.ring_entries = kBuffers;
    if (::syscall(SYS_io_uring_register, fd_, IORING_REGISTER_PBUF_RING, &registration, 1) < 0) {
      die("io_uring_register");
    }
    for (unsigned i = 0; i < kBuffers; ++i) give_back(i);
  }
  void give_back(unsigned id) {
    // The tail lies in the first entry, in a field that buffers do not use.
    auto* entries = reinterpret_cast<io_uring_buf*>(group_);
    io_uring_buf& entry = entries[group_tail_ & (kBuffers - 1)];
    entry.addr = reinterpret_cast<uint64_t>(buffer(id));
    entry.len = kBufferSize;
    entry.bid = static_cast<uint16_t>(id);
    std::atomic_ref<uint16_t>(group_->tail).store(++group_tail_, std::memory_order_release);
  }
  char* buffer(unsigned id) const { return buffers_ + id * kBufferSize; }

 private:
  static void* map(size_t size, int fd, off_t offset) {
    const int flags = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED | MAP_POPULATE;
    void* memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, flags, fd, offset);
    if (memory == MAP_FAILED) die("mmap");
    return memory;
  }

  int fd_;
  unsigned *sq_tail_, *cq_head_, *cq_tail_;
  unsigned sq_mask_, cq_mask_;
  unsigned to_submit_ = 0;
  io_uring_sqe* sqes_;
  io_uring_cqe* cqes_;
  char* buffers_ = nullptr;
  io_uring_buf_ring* group_ = nullptr;
  uint16_t group_tail_ = 0;
};

// What an event is about: the kind, the buffer where one is being sent, and the descriptor.
enum Kind : uint64_t { kAccept, kReceive, kSend };
uint64_t tag(Kind kind, int fd, unsigned id = 0) {
  return kind << 56 | static_cast<uint64_t>(id) << 32 | static_cast<uint32_t>(fd);
}

void ask_accept(RawRing& ring, int listener) {
  io_uring_sqe& entry = ring.next();
  entry.opcode = IORING_OP_ACCEPT;
  entry.ioprio = IORING_ACCEPT_MULTISHOT;
  entry.fd = listener;
  entry.user_data = tag(kAccept, listener);
}

void ask_receive(RawRing& ring, int fd) {
  io_uring_sqe& entry = ring.next();
  entry.opcode = IORING_OP_RECV;
  entry.ioprio = IORING_RECV_MULTISHOT;
  entry.flags = IOSQE_BUFFER_SELECT;
  entry.fd = fd;
  entry.user_data = tag(kReceive, fd);
}

void received(RawRing& ring, int fd, const io_uring_cqe& event) {
  if (event.res > 0) {
    const unsigned id = event.flags >> IORING_CQE_BUFFER_SHIFT;
    io_uring_sqe& entry = ring.next();
    entry.opcode = IORING_OP_SEND;
    entry.fd = fd;
    entry.addr = reinterpret_cast<uint64_t>(ring.buffer(id));
    entry.len = static_cast<unsigned>(event.res);
    entry.msg_flags = MSG_NOSIGNAL | MSG_WAITALL;
    entry.user_data = tag(kSend, fd, id);
  }
  if ((event.flags & IORING_CQE_F_MORE) != 0) return;
  if (event.res > 0 || event.res == -ENOBUFS) {
    ask_receive(ring, fd);
  } else {
    ::close(fd);
  }
}

}  // namespace

void serve_raw_uring(int listener, bool echoes) {
  RawRing ring;
  if (echoes) ring.register_buffers();
  ask_accept(ring, listener);
  for (;;) {
    ring.enter(1);
    ring.drain([&](const io_uring_cqe& event) {
      const int fd = static_cast<int>(event.user_data);
      switch (event.user_data >> 56) {
        case kAccept:
          if ((event.flags & IORING_CQE_F_MORE) == 0) ask_accept(ring, fd);
          if (event.res < 0) break;
          if (echoes) {
            ask_receive(ring, event.res);
          } else {
            ::close(event.res);
          }
          break;
        case kReceive: received(ring, fd, event); break;
        default: ring.give_back(static_cast<unsigned>(event.user_data >> 32) & (kBuffers - 1));
      }
    });
  }
}

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

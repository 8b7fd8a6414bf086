#include "loop/trace/ring.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace rondo {

namespace {

constexpr size_t kPage = 4096;
// Records that get memory at a time: a page fault for each page would cost as much as its records.
constexpr uint64_t kChunk = 8192;
constexpr size_t kNamesChunk = size_t{64} << 10;
#ifndef MADV_POPULATE_WRITE
constexpr int kPopulateWrite = 23;
#else
constexpr int kPopulateWrite = MADV_POPULATE_WRITE;
#endif

Error failure(const char* what) { return Error{errno, what}; }

Result<Fd> open_file(const std::string& path) {
  if (path.empty()) {
    Fd fd(::memfd_create("rondo trace", MFD_CLOEXEC));
    if (fd.get() < 0) return failure("memfd_create");
    return fd;
  }
  Fd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (fd.get() < 0) return failure("open");
  // Another program with the same options must not truncate the file while it is in use.
  if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return failure("flock");
    const std::string own = path + "." + std::to_string(::getpid());
    fd = Fd(::open(own.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    if (fd.get() < 0) return failure("open");
  }
  if (::ftruncate(fd.get(), 0) != 0) return failure("ftruncate");
  return fd;
}

Result<void> write_all(int fd, const char* data, size_t size, size_t offset) {
  while (size > 0) {
    const ssize_t wrote = ::pwrite(fd, data, size, static_cast<off_t>(offset));
    if (wrote < 0) {
      if (errno == EINTR) continue;
      return failure("write");
    }
    data += wrote;
    size -= static_cast<size_t>(wrote);
    offset += static_cast<size_t>(wrote);
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<TraceRing>> TraceRing::create(const TraceRingOptions& options) {
  const size_t bytes = std::max(options.bytes, kLeastBytes);
  const size_t records = std::bit_floor(bytes / sizeof(TraceRecord));
  const size_t names_room =
      std::clamp(bytes / 4, size_t{1} << 20, size_t{64} << 20) / kPage * kPage;
  const size_t size = kHeaderSize + names_room + records * sizeof(TraceRecord);
  Result<Fd> fd = open_file(options.path);
  if (!fd) return fd.error();
  if (::ftruncate(fd->get(), static_cast<off_t>(size)) != 0) return failure("ftruncate");
  void* const memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd->get(), 0);
  if (memory == MAP_FAILED) return failure("mmap");
  if (::posix_fallocate(fd->get(), 0, kHeaderSize) != 0) {
    ::munmap(memory, size);
    return Error{ENOSPC, "fallocate"};
  }
  return std::unique_ptr<TraceRing>(
      new TraceRing(std::move(*fd), static_cast<char*>(memory), size, names_room, options));
}

TraceRing::TraceRing(Fd fd, char* memory, size_t size, size_t names_room,
                     const TraceRingOptions& options)
    : fd_(std::move(fd)),
      memory_(memory),
      size_(size),
      guard_(memory, size),
      has_file_(!options.path.empty()),
      header_(reinterpret_cast<TraceHeader*>(memory)),
      names_(memory + kHeaderSize),
      names_room_(names_room),
      records_(reinterpret_cast<TraceRecord*>(memory + kHeaderSize + names_room)),
      mask_((size - kHeaderSize - names_room) / sizeof(TraceRecord) - 1) {
  TraceHeader& header = *header_;
  header.version = kVersion;
  header.pid = static_cast<uint32_t>(::getpid());
  header.thread_id = options.thread_id;
  header.flags = options.is_virtual ? kVirtualClock : 0;
  header.names_room = static_cast<double>(names_room);
  header.capacity = static_cast<double>(capacity());
  header.began_ms = options.began_ms;
  header.began_ns = options.began_ns;
  header.exit_code = -1;
  // A command line that is too long is left out: a part of it would not be valid JSON.
  if (options.command.size() <= sizeof header.command) {
    header.command_size = static_cast<uint32_t>(options.command.size());
    std::memcpy(header.command, options.command.data(), options.command.size());
  }
  std::memcpy(header.magic, "RONDOTR1", sizeof header.magic);  // Last: makes the header valid.
}

TraceRing::~TraceRing() { ::munmap(memory_, size_); }

bool TraceRing::is_truncated() const {
  struct stat status {};
  return ::fstat(fd_.get(), &status) == 0 && static_cast<size_t>(status.st_size) < size_;
}

void TraceRing::stop(bool is_disk_full) {
  is_stopped_ = true;
  ready_ = written_;
  if (is_disk_full) {
    header_->flags |= kDiskFull;
  } else {
    was_truncated_ = true;
  }
}

TraceRing::Damage TraceRing::damage() const {
  if (was_truncated_ || guard_.was_hit() || is_truncated()) return Damage::truncated;
  struct stat status {};
  if (has_file_ && ::fstat(fd_.get(), &status) == 0 && status.st_nlink == 0) return Damage::removed;
  return (header_->flags & kDiskFull) != 0 ? Damage::disk_full : Damage::none;
}

bool TraceRing::make_ready() {
  if (is_stopped_) return false;
  if (written_ >= capacity()) {  // From the second round on all memory is allocated.
    ready_ = UINT64_MAX;
    return true;
  }
  if (is_truncated()) {  // Allocating would make the file grow again, without a header.
    stop(false);
    return false;
  }
  const uint64_t count = std::min(kChunk, capacity());
  char* const from = reinterpret_cast<char*>(records_ + (written_ & mask_));
  const size_t size = count * sizeof(TraceRecord);
  if (::madvise(from, size, kPopulateWrite) != 0 &&
      ::posix_fallocate(fd_.get(), from - memory_, static_cast<off_t>(size)) != 0) {
    stop(true);
    return false;
  }
  ready_ = written_ + count;
  return true;
}

bool TraceRing::make_names_ready(size_t size) {
  if (names_size_ + size <= names_ready_) return true;
  if (is_stopped_ || names_size_ + size > names_room_) return false;
  if (is_truncated()) {
    stop(false);
    return false;
  }
  const size_t end =
      std::min(names_room_, (names_size_ + size + kNamesChunk) / kNamesChunk * kNamesChunk);
  if (::posix_fallocate(fd_.get(), static_cast<off_t>(kHeaderSize + names_ready_),
                        static_cast<off_t>(end - names_ready_)) != 0) {
    stop(true);
    return false;
  }
  names_ready_ = end;
  return true;
}

uint32_t TraceRing::add_name(NameKind kind, const void* data, size_t size) {
  std::string key(1, static_cast<char>(kind));
  key.append(static_cast<const char*>(data), size);
  const auto known = known_.find(key);
  if (known != known_.end()) return known->second;
  const size_t padded = (size + 3) / 4 * 4;
  if (!make_names_ready(8 + padded)) {
    header_->flags |= kNamesFull;
    return 0;
  }
  char* const entry = names_ + names_size_;
  const uint32_t head[2] = {static_cast<uint32_t>(size), static_cast<uint32_t>(kind)};
  std::memcpy(entry, head, sizeof head);
  std::memcpy(entry + sizeof head, data, size);
  names_size_ += 8 + padded;
  ++names_count_;
  known_.emplace(std::move(key), names_count_);
  header_->names_count = names_count_;
  std::atomic_ref<double>(header_->names_size)
      .store(static_cast<double>(names_size_), std::memory_order_release);
  return names_count_;
}

uint32_t TraceRing::text(std::string_view text) {
  constexpr size_t kMost =
      4096;  // A reader needs no more, and one error message must not fill the table.
  return add_name(NameKind::text, text.data(), std::min(text.size(), kMost));
}

uint32_t TraceRing::place(uint32_t function, uint32_t file, uint32_t line, uint32_t column) {
  const uint32_t place[4] = {function, file, line, column};
  return add_name(NameKind::place, place, sizeof place);
}

uint32_t TraceRing::stack(std::span<const uint32_t> places) {
  return add_name(NameKind::stack, places.data(), places.size_bytes());
}

void TraceRing::finish(int code) {
  header_->exit_code = code;
  header_->flags |= kFinished;
}

Result<void> TraceRing::write_copy(const std::string& path) const {
  Result<Fd> fd = open_file(path);
  if (!fd) return fd.error();
  if (::ftruncate(fd->get(), static_cast<off_t>(size_)) != 0) return failure("ftruncate");
  std::atomic_ref<double> count(header_->written);
  const auto before = static_cast<uint64_t>(count.load(std::memory_order_acquire));
  const size_t used = static_cast<size_t>(std::min(before, capacity())) * sizeof(TraceRecord);
  const size_t records_at = kHeaderSize + names_room_;
  const char* const records = memory_ + records_at;
  if (Result<void> wrote = write_all(fd->get(), records, used, records_at); !wrote) return wrote;
  // The names after the records that use them.
  const auto names_size = static_cast<size_t>(
      std::atomic_ref<double>(header_->names_size).load(std::memory_order_acquire));
  if (Result<void> wrote = write_all(fd->get(), names_, names_size, kHeaderSize); !wrote)
    return wrote;
  TraceHeader header = *header_;
  header.written = static_cast<double>(before);
  header.names_size = static_cast<double>(names_size);
  if (Result<void> wrote =
          write_all(fd->get(), reinterpret_cast<const char*>(&header), sizeof header, 0);
      !wrote) {
    return wrote;
  }
  // Records overwritten during the copy are invalid; one more may be half written.
  const uint64_t after = static_cast<uint64_t>(count.load(std::memory_order_acquire)) + 1;
  const uint64_t first = before > capacity() ? before - capacity() : 0;
  const uint64_t end = after > capacity() ? std::min(after - capacity(), before) : 0;
  const TraceRecord nothing = {};
  for (uint64_t n = first; n < end; ++n) {
    const size_t at = records_at + static_cast<size_t>(n & mask_) * sizeof nothing;
    if (Result<void> wrote =
            write_all(fd->get(), reinterpret_cast<const char*>(&nothing), sizeof nothing, at);
        !wrote) {
      return wrote;
    }
  }
  return {};
}

}  // namespace rondo

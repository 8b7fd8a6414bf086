// Bytes to be sent, in memory that can be handed over to a write.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

namespace rondo::bindings::http2 {

class Outgoing {
 public:
  size_t size() const { return size_; }
  bool is_empty() const { return size_ == 0; }
  char* data() const { return bytes_.get(); }

  // Room for this many bytes, which the caller fills.
  char* extend(size_t more) {
    if (capacity_ - size_ < more) grow(more);
    size_ += more;
    if (keeps_parts_) parts_.push_back(static_cast<uint32_t>(more));
    return bytes_.get() + size_ - more;
  }
  void append(const void* bytes, size_t size) {
    if (size > 0) std::memcpy(extend(size), bytes, size);
  }

  // From now on the sizes of what extend() adds are recorded, for sockets that get each part by
  // itself, as in Node.
  void keep_parts() { keeps_parts_ = true; }
  std::vector<uint32_t> take_parts() { return std::move(parts_); }
  void clear() {
    size_ = 0;
    parts_.clear();
    if (capacity_ > kMostKept) release();
  }
  std::unique_ptr<char[]> release() {
    size_ = capacity_ = 0;
    return std::move(bytes_);
  }

 private:
  static constexpr size_t kLeast = 4096;
  // Idle sessions keep no more than this.
  static constexpr size_t kMostKept = 64 * 1024;

  void grow(size_t more) {
    const size_t capacity = std::max({size_ + more, 2 * capacity_, kLeast});
    std::unique_ptr<char[]> bytes(new char[capacity]);
    if (size_ > 0) std::memcpy(bytes.get(), bytes_.get(), size_);
    bytes_ = std::move(bytes);
    capacity_ = capacity;
  }

  std::unique_ptr<char[]> bytes_;
  size_t size_ = 0;
  size_t capacity_ = 0;
  std::vector<uint32_t> parts_;
  bool keeps_parts_ = false;
};

}  // namespace rondo::bindings::http2

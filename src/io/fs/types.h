// The result types of file operations: plain values. Thread: any.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <string>
#include <utility>

namespace rondo {

enum class FileType : uint8_t {
  unknown,
  file,
  directory,
  symlink,
  fifo,
  socket,
  character_device,
  block_device,
};
FileType file_type_of_mode(mode_t mode);

// The result of stat(2), with the birth time if the file system stores it, otherwise ctime.
struct Stat {
  uint64_t dev = 0;
  uint64_t ino = 0;
  uint64_t nlink = 0;
  uint64_t rdev = 0;
  uint64_t size = 0;
  uint64_t blocks = 0;  // In units of 512 bytes.
  uint32_t mode = 0;
  uint32_t uid = 0;
  uint32_t gid = 0;
  uint32_t block_size = 0;
  timespec atime{};
  timespec mtime{};
  timespec ctime{};
  timespec birthtime{};

  FileType type() const { return file_type_of_mode(mode); }
  bool is_file() const { return type() == FileType::file; }
  bool is_directory() const { return type() == FileType::directory; }
  bool is_symlink() const { return type() == FileType::symlink; }
};

// The result of statfs(2).
struct StatFs {
  uint64_t type = 0;  // The magic number of the file system type.
  uint64_t block_size = 0;
  uint64_t fragment_size = 0;  // The unit of the numbers of blocks.
  uint64_t blocks = 0;
  uint64_t blocks_free = 0;
  uint64_t blocks_available = 0;  // Available to unprivileged users.
  uint64_t files = 0;
  uint64_t files_free = 0;
};

struct Dirent {
  std::string name;
  FileType type = FileType::unknown;

  friend bool operator==(const Dirent&, const Dirent&) = default;
};

// The content of a file, in memory from malloc() that need not be zeroed.
class FileBytes {
 public:
  FileBytes() = default;
  FileBytes(FileBytes&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  FileBytes& operator=(FileBytes&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~FileBytes() { std::free(data_); }

  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::byte* begin() { return data_; }
  std::byte* end() { return data_ + size_; }
  const std::byte* begin() const { return data_; }
  const std::byte* end() const { return data_ + size_; }
  const std::byte& operator[](size_t index) const { return data_[index]; }

  // Keeps the content. Added bytes are uninitialised. Returns false if there is no memory.
  bool resize(size_t size) {
    if (size == 0) {
      std::free(std::exchange(data_, nullptr));
    } else {
      void* const moved = std::realloc(data_, size);
      if (moved == nullptr) return false;
      data_ = static_cast<std::byte*>(moved);
    }
    size_ = size;
    return true;
  }
  // The caller frees the memory with free().
  std::byte* release() {
    size_ = 0;
    return std::exchange(data_, nullptr);
  }

 private:
  std::byte* data_ = nullptr;
  size_t size_ = 0;
};

// A file of mkstemp(), open for reading and writing. The caller closes and removes it.
struct TempFile {
  std::string path;
  int fd = -1;
};

// Flags of copy_file, with the values of Node's fs.constants.
enum CopyFlags : int {
  kCopyExclusive = 1,   // EEXIST if the destination exists.
  kCopyClone = 2,       // Share the blocks if the file system supports it.
  kCopyCloneForce = 4,  // Share the blocks or fail.
};

}  // namespace rondo

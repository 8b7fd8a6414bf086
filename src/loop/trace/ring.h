// The trace file, mapped into memory: a header, a table of names, and a ring of the most recent
// records. docs/TRACE-FORMAT.md describes it. The file is complete however the program ends. A full
// disk ends the recording, not the program; so does another process that truncates the file.
// Thread: only the loop's writes; any may call write_copy().
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "loop/trace/mapping_guard.h"

namespace rondo {

struct TraceRecord {
  double time;
  uint32_t word;  // kind, phase, detail: from the lowest byte on.
  uint32_t name;
  double id;
  double value;  // Or two numbers: see pair().
};
static_assert(sizeof(TraceRecord) == 32);

struct TraceHeader {
  char magic[8];
  uint32_t version;
  uint32_t pid;
  uint32_t thread_id;
  uint32_t flags;
  double names_room;
  double capacity;
  double written;
  double names_size;
  double names_count;
  double began_ms;
  double began_ns;
  double exit_code;
  uint32_t command_size;
  uint32_t padding;
  char command[3900];
};
static_assert(offsetof(TraceHeader, written) == 40 && offsetof(TraceHeader, exit_code) == 80 &&
              offsetof(TraceHeader, command) == 96);

struct TraceRingOptions {
  std::string path;  // Empty: in memory only.
  size_t bytes = size_t{64} << 20;
  uint32_t thread_id = 0;
  std::string command;  // JSON; see docs/TRACE-FORMAT.md.
  double began_ms = 0;
  double began_ns = 0;
  bool is_virtual = false;
};

class TraceRing {
 public:
  static constexpr size_t kHeaderSize = 4096;
  static constexpr size_t kLeastBytes = size_t{1} << 20;
  static constexpr uint32_t kVersion = 4;
  static constexpr uint32_t kFinished = 1;
  static constexpr uint32_t kNamesFull = 2;
  static constexpr uint32_t kVirtualClock = 4;
  static constexpr uint32_t kDiskFull = 8;
  enum class NameKind : uint32_t { text, place, stack };

  static Result<std::unique_ptr<TraceRing>> create(const TraceRingOptions& options);
  ~TraceRing();
  TraceRing(const TraceRing&) = delete;
  TraceRing& operator=(const TraceRing&) = delete;

  void put(double time, uint32_t word, uint32_t name, double id, double value) {
    if (written_ == ready_) [[unlikely]] {
      if (!make_ready()) return;
    }
    TraceRecord& record = records_[written_ & mask_];
    record.time = time;
    record.word = word;
    record.name = name;
    record.id = id;
    record.value = value;
    ++written_;
    // After the record itself: readers that follow the file rely on the count.
    std::atomic_ref<double>(header_->written)
        .store(static_cast<double>(written_), std::memory_order_release);
  }

  // Indexes into the table; 0 when it is full.
  uint32_t text(std::string_view text);
  uint32_t place(uint32_t function, uint32_t file, uint32_t line, uint32_t column);
  uint32_t stack(std::span<const uint32_t> places);

  // Marks the trace as finished in the header.
  void finish(int code);
  // Copies the trace so far to a file of its own. Records that the loop overwrites meanwhile are
  // left out (kind 0).
  Result<void> write_copy(const std::string& path) const;

  // Damage of the file while recording.
  enum class Damage : uint8_t {
    none,
    disk_full,  // Later records and names are missing.
    truncated,
    removed,
  };
  Damage damage() const;
  // Since the start, in nanoseconds; 0 if there are no records.
  double last_time() const { return written_ == 0 ? 0 : record(written_ - 1).time; }

  uint64_t written() const { return written_; }
  uint64_t capacity() const { return mask_ + 1; }
  const TraceHeader& header() const { return *header_; }
  const TraceRecord& record(uint64_t number) const { return records_[number & mask_]; }
  // The bytes of the table so far.
  std::string_view names() const { return {names_, names_size_}; }

 private:
  TraceRing(Fd fd, char* memory, size_t size, size_t names_room, const TraceRingOptions& options);
  // Allocates file space for the next records or names; false, permanently, if the disk is full or
  // the file has been truncated.
  bool make_ready();
  bool make_names_ready(size_t size);
  bool is_truncated() const;
  void stop(bool is_disk_full);
  uint32_t add_name(NameKind kind, const void* data, size_t size);

  Fd fd_;
  char* memory_;
  size_t size_;
  MappingGuard guard_;
  bool has_file_;
  TraceHeader* header_;
  char* names_;
  size_t names_room_;
  size_t names_size_ = 0;
  size_t names_ready_ = 0;
  uint32_t names_count_ = 0;
  TraceRecord* records_;
  uint64_t mask_;
  uint64_t written_ = 0;
  uint64_t ready_ = 0;  // Records up to here have file space.
  bool is_stopped_ = false;
  bool was_truncated_ = false;
  std::unordered_map<std::string, uint32_t> known_;  // By kind and bytes.
};

// Two numbers in the place of a record's value.
inline double trace_pair(uint32_t first, uint32_t second) {
  return std::bit_cast<double>(uint64_t{second} << 32 | first);
}

}  // namespace rondo

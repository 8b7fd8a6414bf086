// The native side of zlib's streams: one Codec, and at most one write at a time, which is done in
// the call or in a job of the pool.
// Phase: poll. Thread: the loop's, except for the work of the job.
#pragma once

#include <deque>
#include <memory>
#include <optional>

#include "bindings/zlib/arguments.h"
#include "loop/request.h"
#include "runtime/values/wrap.h"

namespace rondo::bindings::zlib {

class Stream;

// The job of a stream's writes. Owns the codec, because a worker may still use it when the stream
// is gone; then the job deletes itself.
class WriteJob final : public PoolRequest {
 public:
  WriteJob(Loop& loop, Mode mode, std::unique_ptr<Codec> codec, Stream& owner);
  ~WriteJob() override = default;

  // Sets what is written, and into which memory. `chunk` is the size of further outputs.
  void prepare(int flush, Memory input, Memory output, size_t chunk);
  void submit();
  // Does the work at once.
  void run_now();
  // Deletes the job, or lets it delete itself.
  void abandon();
  Codec& codec() { return *codec_; }
  std::optional<Failure> reset();

  // After the write: what is left of input and output, and why it failed.
  size_t in_left() const { return buffers_.in_size; }
  size_t out_left() const { return buffers_.out_size; }
  const std::optional<Failure>& failure() const { return failure_; }

 private:
  // Output that was produced before lib requested it. When an output buffer is full, lib writes the
  // rest of the input again, as another job. Filling several buffers in one job halves the time of
  // a large input; lib still gets one buffer per turn of the loop.
  struct Ahead {
    std::unique_ptr<uint8_t[]> bytes;
    size_t size = 0;
    size_t given = 0;
    size_t in_left = 0;
    std::optional<Failure> failure;
  };
  static constexpr size_t kMostAhead = size_t{128} << 10;

  void work() override;
  void worked(Result<void> done) override;
  void work_ahead();
  void give_ahead();

  Stream* owner_;  // Null once the stream is gone.
  std::unique_ptr<Codec> codec_;
  Buffers buffers_;
  Memory input_;
  Memory output_;
  size_t chunk_ = 0;
  std::deque<Ahead> ahead_;
  std::optional<Failure> failure_;
  int flush_ = 0;
  bool works_ahead_;
};

class Stream final : public runtime::Wrap {
 public:
  Stream(runtime::Realm& realm, v8::Local<v8::Object> pattern, Mode mode,
         std::unique_ptr<Codec> codec, std::shared_ptr<v8::BackingStore> answer);
  ~Stream() override;

  bool is_open() const { return job_ != nullptr; }
  bool is_writing() const { return is_writing_; }
  // Precondition: open, and not writing.
  void write(int flush, Memory input, Memory output, size_t chunk);
  std::optional<Failure> write_now(int flush, Memory input, Memory output, size_t chunk);
  std::optional<Failure> reset();
  // During a write this takes effect when the write has ended.
  std::optional<Failure> set_level(int level, int strategy);
  // During a write this takes effect when the write has ended. Idempotent.
  void close();

 private:
  friend class WriteJob;
  void written();
  void note_answer();
  // Reports the codec's memory to V8.
  void account();

  WriteJob* job_;                             // Null once closed.
  std::shared_ptr<v8::BackingStore> answer_;  // lib's Float64Array [out left, in left].
  struct Level {
    int level;
    int strategy;
  };
  std::optional<Level> level_after_write_;
  int64_t accounted_ = 0;
  bool is_writing_ = false;
  bool closes_after_write_ = false;
};

}  // namespace rondo::bindings::zlib

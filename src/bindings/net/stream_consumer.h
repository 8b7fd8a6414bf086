// A StreamConsumer takes the place of JavaScript at a stream: an HTTP parser or a TLS engine gets
// what the stream reads, and sends, without a call into JavaScript. What it reads from is a
// StreamSource: a StreamHandle, or the TLS engine of one with its decrypted data.
//
//   StreamHandle* stream = runtime::Wrap::of<StreamHandle>(info[0]);
//   stream->attach(*this);
//   stream->read_start();
//   stream->write(parts, keep);  // See StreamHandle.
//
// One stream has at most one consumer. JavaScript keeps the object of the stream, and still opens,
// shuts down and closes it. A consumer that calls JavaScript does so through JsEntry.
// Phases: poll, pending, closing. Thread: the loop's only.
#pragma once

#include <cstddef>
#include <span>

#include "base/assert.h"
#include "base/result.h"
#include "runtime/values/v8.h"

namespace rondo::bindings {

class StreamConsumer;
class StreamHandle;

// Bytes for JavaScript: a part of an ArrayBuffer that several reads share, as one per small read
// would cost more than the bytes.
struct StreamPiece {
  v8::Local<v8::ArrayBuffer> buffer;
  size_t offset;
};

class StreamSource {
 public:
  // Between these, reads go to the consumer instead of JavaScript.
  void attach(StreamConsumer& consumer);
  void detach_consumer() { consumer_ = nullptr; }
  StreamConsumer* consumer() const { return consumer_; }
  bool has_consumer() const { return consumer_ != nullptr; }

  virtual bool is_readable() const = 0;
  // Gives JavaScript what the consumer has got from on_read(), but does not handle.
  virtual void pass(Result<std::span<std::byte>> data) = 0;
  // The data of on_read() as memory of JavaScript.
  virtual StreamPiece keep_data(std::span<const std::byte> data) = 0;

 protected:
  StreamSource() = default;
  StreamSource(const StreamSource&) = delete;
  StreamSource& operator=(const StreamSource&) = delete;
  ~StreamSource() = default;

 private:
  StreamConsumer* consumer_ = nullptr;
};

class StreamConsumer {
 public:
  // Data, valid until this returns; empty at the end of the stream. Nothing follows the end or an
  // error. May detach, stop reading or close the stream.
  virtual void on_read(StreamSource& source, Result<std::span<std::byte>> data) = 0;
  // A write() of this consumer that was queued has been sent, or has failed: once for each, in
  // order, while the consumer is attached.
  virtual void on_written(StreamHandle& stream, Result<void> outcome) = 0;
  // The stream has closed, and is freed: it must not be used any more. Called after the close
  // callback of JavaScript, and at the end of the realm.
  virtual void on_closed() = 0;
  // The source of the data that this consumer produces, if another one can read that.
  virtual StreamSource* inner_source() { return nullptr; }

 protected:
  StreamConsumer() = default;
  StreamConsumer(const StreamConsumer&) = delete;
  StreamConsumer& operator=(const StreamConsumer&) = delete;
  ~StreamConsumer() = default;
};

inline void StreamSource::attach(StreamConsumer& consumer) {
  RONDO_ASSERT(consumer_ == nullptr);
  consumer_ = &consumer;
}

}  // namespace rondo::bindings

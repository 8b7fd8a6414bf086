// A StreamConsumer takes the place of JavaScript at a stream: an HTTP parser or a TLS engine gets
// what the stream reads, and sends, without a call into JavaScript.
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

#include "base/result.h"

namespace rondo::bindings {

class StreamHandle;

class StreamConsumer {
 public:
  // Data, valid until this returns; empty at the end of the stream. Nothing follows the end or an
  // error. May detach, stop reading or close the stream.
  virtual void on_read(StreamHandle& stream, Result<std::span<std::byte>> data) = 0;
  // A write() of this consumer that was queued has been sent, or has failed: once for each, in
  // order, while the consumer is attached.
  virtual void on_written(StreamHandle& stream, Result<void> outcome) = 0;
  // The stream has closed, and is freed: it must not be used any more. Called after the close
  // callback of JavaScript, and at the end of the realm.
  virtual void on_closed() = 0;

 protected:
  StreamConsumer() = default;
  StreamConsumer(const StreamConsumer&) = delete;
  StreamConsumer& operator=(const StreamConsumer&) = delete;
  ~StreamConsumer() = default;
};

}  // namespace rondo::bindings

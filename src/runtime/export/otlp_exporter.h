// OtlpExporter sends spans to a collector of OpenTelemetry, as OTLP/HTTP with JSON. It is best
// effort: spans wait in a bounded queue, a thread of its own sends them in batches, and batches
// that cannot be sent are dropped. The first failure is reported on stderr. Thread: any, except as
// the functions say.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "runtime/export/address.h"

namespace rondo::runtime {

struct OtlpOptions {
  Collector collector;
  std::string url;      // For messages.
  std::string headers;  // More header fields of the request, complete lines.
  std::string service;  // The attribute service.name.
  // More attributes of the resource: a list of objects of JSON, each followed by a comma.
  std::string attributes;
};

// Reads OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES and OTEL_EXPORTER_OTLP_HEADERS.
OtlpOptions otlp_options_from_environment();

class OtlpExporter {
 public:
  // Called once.
  explicit OtlpExporter(OtlpOptions options);
  ~OtlpExporter() { finish(); }
  OtlpExporter(const OtlpExporter&) = delete;
  OtlpExporter& operator=(const OtlpExporter&) = delete;

  // `span` is an object of JSON. The span is dropped if the queue is full.
  void add(std::string span);
  // Sends what is left, and gives up after kForExit. Later spans are dropped. Idempotent. Thread:
  // the one that created this.
  void finish();

  static constexpr std::chrono::milliseconds kForExit{1000};

 private:
  struct State;

  static void* thread_main(void* state);

  // Shared with the thread, which may wait for a name server while the process ends.
  std::shared_ptr<State> state_;
};

}  // namespace rondo::runtime

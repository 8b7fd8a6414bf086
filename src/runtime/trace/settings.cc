#include "runtime/trace/settings.h"

#include "loop/trace/file.h"

namespace rondo::runtime {

Result<std::unique_ptr<TraceFile>> open_trace(const TraceSettings& settings, bool is_virtual,
                                              uint32_t thread_id) {
  TraceRingOptions options;
  options.path = settings.path;
  if (thread_id != 0 && !options.path.empty()) options.path += ".w" + std::to_string(thread_id);
  options.bytes = settings.bytes;
  options.thread_id = thread_id;
  options.command = settings.command;
  options.is_virtual = is_virtual;
  return TraceFile::create(std::move(options));
}

}  // namespace rondo::runtime

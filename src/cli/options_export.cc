#include "cli/options_export.h"

#include "cli/options_values.h"

namespace rondo::cli {

std::string read_export_options(Options& options) {
  if (const std::string* const text = find_flag(options, "metrics"); text != nullptr) {
    runtime::Address address;
    if (!runtime::parse_address(*text, &address)) {
      return "--metrics needs PORT or HOST:PORT, with a port from 0 to 65535, not '" + *text + "'";
    }
    options.metrics = std::move(address);
  }
  if (const std::string* const url = find_flag(options, "trace-otlp"); url != nullptr) {
    runtime::OtlpOptions otlp = runtime::otlp_options_from_environment();
    otlp.url = *url;
    const std::string problem = runtime::parse_collector(*url, &otlp.collector);
    if (!problem.empty()) {
      return "--trace-otlp needs the URL of a collector, such as http://127.0.0.1:4318, not '" +
             *url + "': " + problem;
    }
    // As the SDKs name a service without a name.
    if (otlp.service.empty()) otlp.service = "unknown_service:rondo";
    options.otlp = std::move(otlp);
  }
  return "";
}

}  // namespace rondo::cli

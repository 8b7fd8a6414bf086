#include "runtime/export/process_metrics.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <string>

namespace rondo::runtime {

namespace {

double value_of(const std::string& text, const std::string& name) {
  const size_t at = text.find("\n" + name + " ");
  EXPECT_NE(at, std::string::npos) << name << " in\n" << text;
  return at == std::string::npos ? -1 : std::strtod(text.c_str() + at + name.size() + 2, nullptr);
}

TEST(ProcessMetrics, AreThoseOfThisProcess) {
  const std::string text = process_metrics();
  EXPECT_GT(value_of(text, "process_cpu_seconds_total"), 0);
  EXPECT_GT(value_of(text, "process_resident_memory_bytes"), 1e5);
  EXPECT_GE(value_of(text, "process_virtual_memory_bytes"),
            value_of(text, "process_resident_memory_bytes"));
  EXPECT_GE(value_of(text, "process_threads"), 1);
  EXPECT_GE(value_of(text, "process_open_fds"), 1);
  EXPECT_GE(value_of(text, "process_max_fds"), value_of(text, "process_open_fds"));
  const double now = static_cast<double>(std::time(nullptr));
  EXPECT_LE(value_of(text, "process_start_time_seconds"), now + 1);
  EXPECT_GT(value_of(text, "process_start_time_seconds"), now - 86400);
}

TEST(ProcessMetrics, HaveATypeAndAHelpEach) {
  const std::string text = process_metrics();
  EXPECT_EQ(text.rfind("# HELP process_cpu_seconds_total ", 0), 0u);
  EXPECT_NE(text.find("\n# TYPE process_cpu_seconds_total counter\n"), std::string::npos);
  EXPECT_NE(text.find("\n# TYPE process_open_fds gauge\n"), std::string::npos);
  EXPECT_EQ(text.back(), '\n');
}

}  // namespace

}  // namespace rondo::runtime

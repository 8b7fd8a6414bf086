#include "support/temp_dir.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/assert.h"

namespace rondo {

TempDir::TempDir() {
  std::error_code error;
  std::filesystem::path place = std::filesystem::temp_directory_path(error);
  if (error) place = "/tmp";
  path_ = (place / "rondo-test-XXXXXX").string();
  if (::mkdtemp(path_.data()) == nullptr) fatal("cannot make a directory for a test");
}

TempDir::~TempDir() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TempDir::operator/(std::string_view name) const {
  return path_ + '/' + std::string(name);
}

std::string TempDir::write(std::string_view name, std::string_view content) const {
  std::string path = *this / name;
  std::FILE* file = std::fopen(path.c_str(), "wbe");
  if (file == nullptr) fatal("cannot write a file for a test");
  RONDO_ASSERT(std::fwrite(content.data(), 1, content.size(), file) == content.size());
  RONDO_ASSERT(std::fclose(file) == 0);
  return path;
}

std::string read_whole(const std::string& path) {
  std::string out;
  std::FILE* file = std::fopen(path.c_str(), "rbe");
  if (file == nullptr) return out;
  char buffer[4096];
  while (const size_t count = std::fread(buffer, 1, sizeof buffer, file)) out.append(buffer, count);
  std::fclose(file);
  return out;
}

}  // namespace rondo

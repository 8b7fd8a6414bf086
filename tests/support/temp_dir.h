// A temporary directory for a test, removed with its content when the test ends.
#pragma once

#include <string>
#include <string_view>

namespace rondo {

class TempDir {
 public:
  TempDir();  // Aborts if it cannot be created.
  ~TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  const std::string& path() const { return path_; }
  // The path of an entry, which need not exist.
  std::string operator/(std::string_view name) const;
  // Makes a file with this content, and returns its path.
  std::string write(std::string_view name, std::string_view content) const;

 private:
  std::string path_;
};

// The whole file; empty if it cannot be read.
std::string read_whole(const std::string& path);

}  // namespace rondo

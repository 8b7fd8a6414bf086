// One buffer per loop that readiness-driven reads land in: an idle connection needs none of its
// own.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "loop/services.h"

namespace rondo {

class ReadBuffer final : public Service {
 public:
  static constexpr size_t kSize = 64 * 1024;

  explicit ReadBuffer(Loop&) : bytes_(new std::byte[kSize]) {}
  std::span<std::byte> span() const { return {bytes_.get(), kSize}; }

 private:
  std::unique_ptr<std::byte[]> bytes_;
};

}  // namespace rondo

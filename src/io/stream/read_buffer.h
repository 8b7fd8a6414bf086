// One buffer per loop for readiness-driven reads: an idle connection needs none of its own.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "loop/services.h"

namespace rondo {

class ReadBuffer final : public Service {
 public:
  static constexpr size_t kSize = 64 * 1024;

  explicit ReadBuffer(Loop&) {}
  std::span<std::byte> span() {
    if (span_.empty()) {
      own_.reset(new std::byte[kSize]);
      span_ = {own_.get(), kSize};
    }
    return span_;
  }

  // For readers that keep the data: from now on reads go into this memory, which the lender owns. A
  // reader's callback may lend other memory each time. Empty memory ends the loan.
  void lend(std::span<std::byte> memory) {
    span_ = memory;
    if (memory.empty() && own_ != nullptr) span_ = {own_.get(), kSize};
  }

 private:
  std::unique_ptr<std::byte[]> own_;
  std::span<std::byte> span_;
};

}  // namespace rondo

// For tests that run once per backend in one program:
//
//   class PollerTest : public BackendTest {};
//   TEST_P(PollerTest, ...) { LoopOptions options{.backend = GetParam()}; ... }
//   RONDO_PER_BACKEND(PollerTest);
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "loop/poller/poller.h"

namespace rondo {

class BackendTest : public ::testing::TestWithParam<Backend> {
 protected:
  void SetUp() override {
    if (Result<std::unique_ptr<Poller>> poller = make_poller(GetParam()); !poller) {
      GTEST_SKIP() << "SKIPPED: this system refuses " << backend_name(GetParam()) << ": "
                   << poller.error().message();
    }
  }
};

}  // namespace rondo

#define RONDO_PER_BACKEND(suite)                                                            \
  INSTANTIATE_TEST_SUITE_P(                                                                 \
      Backends, suite, ::testing::Values(::rondo::Backend::epoll, ::rondo::Backend::uring), \
      [](const auto& backend) { return std::string(::rondo::backend_name(backend.param)); })

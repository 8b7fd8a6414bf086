#include "uv/run/orders.h"

#include <gtest/gtest.h>
#include <uv.h>

namespace rondo::uv {
namespace {

// tests/uv/explore.py tests processes with an order.
TEST(UvOrders, AProgramWithoutOptionsHasTheOrderOfTheKernel) {
  EXPECT_EQ(choice_of_process(), nullptr);
  EXPECT_EQ(ordered_loop(), nullptr);
  note_outside(Outside::network);
  note_port(80);
  note_message();
}

}  // namespace
}  // namespace rondo::uv

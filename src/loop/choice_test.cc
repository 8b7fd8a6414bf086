#include "loop/choice.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace rondo {
namespace {

TEST(Choice, EveryPointHasANameOfItsOwn) {
  std::set<std::string> names;
  for (size_t i = 0; i < kChoicePoints; ++i)
    names.insert(choice_point_name(static_cast<ChoicePoint>(i)));
  EXPECT_EQ(names.size(), kChoicePoints);
  EXPECT_EQ(names.count("unknown"), 0u);
}

TEST(Choice, ChooseCallsPickUnlessOverridden) {
  class Last final : public Choice {
    size_t pick(ChoicePoint, size_t options) override { return options - 1; }
  };
  Last last;
  EXPECT_EQ(static_cast<Choice&>(last).choose({ChoicePoint::batch_end, 5}), 4u);
}

}  // namespace
}  // namespace rondo

#include "base/co/cancel.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace rondo {
namespace {

struct Listener : CancelHook {
  Listener(std::string& to, char letter)
      : CancelHook([](CancelHook& self) {
          static_cast<Listener&>(self).log += static_cast<Listener&>(self).name;
        }),
        log(to),
        name(letter) {}
  std::string& log;
  char name;
};

TEST(Cancel, HooksAreCalledOnceInTheOrderInWhichTheyWereAttached) {
  std::string log;
  CancelSource source;
  Listener a(log, 'a'), b(log, 'b'), c(log, 'c');
  for (Listener* hook : {&a, &b, &c}) EXPECT_TRUE(source.token().attach(*hook));
  b.detach();
  source.cancel();
  source.cancel();
  EXPECT_EQ(log, "ac");
  EXPECT_FALSE(a.is_attached());
}

TEST(Cancel, ItIsTooLateToListenToACancelledSource) {
  std::string log;
  CancelSource source;
  source.cancel();
  Listener hook(log, 'a');
  EXPECT_TRUE(source.token().is_cancelled());
  EXPECT_FALSE(source.token().attach(hook));
  EXPECT_FALSE(hook.is_attached());
  EXPECT_EQ(log, "");
}

TEST(Cancel, TheEmptyTokenIsNeverCancelled) {
  std::string log;
  Listener hook(log, 'a');
  CancelToken token;
  EXPECT_FALSE(token.is_cancelled());
  EXPECT_TRUE(token.attach(hook));
  EXPECT_FALSE(hook.is_attached());
}

TEST(Cancel, AHookMayGoAwayWhileAnotherIsCalled) {
  struct Killer : CancelHook {
    Killer() : CancelHook([](CancelHook& self) { static_cast<Killer&>(self).victim.reset(); }) {}
    std::unique_ptr<Listener> victim;
  };
  std::string log;
  CancelSource source;
  Killer killer;
  killer.victim = std::make_unique<Listener>(log, 'v');
  Listener last(log, 'l');
  ASSERT_TRUE(source.token().attach(killer));
  ASSERT_TRUE(source.token().attach(*killer.victim));
  ASSERT_TRUE(source.token().attach(last));
  source.cancel();
  EXPECT_EQ(log, "l");
}

TEST(Cancel, AFollowerIsCancelledAlongButNotTheOtherWayRound) {
  std::string log;
  CancelSource parent;
  CancelSource child;
  child.follow(parent.token());
  Listener hook(log, 'c');
  ASSERT_TRUE(child.token().attach(hook));
  parent.cancel();
  EXPECT_TRUE(child.is_cancelled());
  EXPECT_EQ(log, "c");

  CancelSource other_parent;
  CancelSource other_child;
  other_child.follow(other_parent.token());
  other_child.cancel();
  EXPECT_FALSE(other_parent.is_cancelled());
}

TEST(Cancel, FollowingACancelledSourceCancelsAtOnce) {
  CancelSource parent;
  parent.cancel();
  CancelSource child;
  child.follow(parent.token());
  EXPECT_TRUE(child.is_cancelled());
}

TEST(Cancel, AFollowerMayEndBeforeItsParent) {
  CancelSource parent;
  {
    CancelSource child;
    child.follow(parent.token());
  }
  parent.cancel();
  EXPECT_TRUE(parent.is_cancelled());
}

TEST(CancelDeathTest, ASourceThatEndsBeforeItsListenersAborts) {
  std::string log;
  Listener hook(log, 'a');
  EXPECT_DEATH(
      {
        CancelSource source;
        (void)source.token().attach(hook);
      },
      "operations listen");
}

}  // namespace
}  // namespace rondo

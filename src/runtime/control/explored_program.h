// A program that `rondo explore` runs: places of its JavaScript, and notes of what it does outside.
// Thread: the isolate's only.
#pragma once

#include <string>

#include "explore/run.h"

namespace rondo::runtime {

class Realm;

class ExploredProgram final : public ProgramPlaces {
 public:
  explicit ExploredProgram(Realm& realm) : realm_(realm) {}
  std::string here() const override;
  std::string maker_of(const Handle& handle) const override;

 private:
  Realm& realm_;
};

// Does nothing if the program is not explored.
void note_outside(Realm& realm, Outside what);

}  // namespace rondo::runtime

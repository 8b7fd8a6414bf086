// ExploredProgram gives `rondo explore` the source places of the program that it runs;
// note_outside() records the program's external effects. Thread: the isolate's only.
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

// Records an operation outside of the explored program. Does nothing if the program is not
// explored.
void note_outside(Realm& realm, Outside what);

}  // namespace rondo::runtime

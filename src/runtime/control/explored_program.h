// ExploredProgram gives `rondo explore` the source places of the program that it runs;
// note_outside() and note_seen_port() record what differs between runs. Thread: the isolate's only.
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
// Records a port whose number the program is given. Does nothing if the program is not explored.
void note_seen_port(Realm& realm, uint16_t port);

}  // namespace rondo::runtime

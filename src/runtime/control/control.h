// Control answers queries of `rondo why` and `rondo top` about a running program of this runtime.
// The socket is opened when the program has run for a while.
//
// The loop's thread creates the answer (LoopQuery). If it cannot, because a system call blocks, the
// control thread answers with the state of the loop's thread. While a client of `top` is connected,
// phases are measured and slow callbacks recorded.
//
// Thread: as each function says.
#pragma once

#include <cstdint>
#include <string>

#include "base/control/socket.h"
#include "runtime/control/loop_query.h"
#include "runtime/engine/realm.h"

namespace rondo::runtime {

class Control final : private ControlService {
 public:
  // Thread: the loop's.
  Control(Realm& realm, LoopQuery& queries);

  // Called once, from any thread but the loop's. Best effort: if it fails, the program runs without
  // Control.
  void open() { socket_.open(); }
  // Accepts no more clients and removes the socket. Idempotent. Thread: the loop's.
  void close() { socket_.close(); }

 private:
  std::string answer(const std::string& query) override;
  void watch(bool is_watched) override;
  void end_answer() override { queries_.close(); }

  Realm& realm_;
  LoopQuery& queries_;
  const int32_t loop_tid_;
  ControlSocket socket_;
};

}  // namespace rondo::runtime

// Control answers those who ask from outside what a program is doing: `rondo why` and `rondo top`.
// Its door is a Unix socket in a directory that only the user of the process can enter; whoever
// comes in is asked by the kernel's word who they are. It is opened when the program has run for a
// while, on a thread that does nothing but sleep in the kernel while nobody is there.
//
// A question is a line, `why` or `top`; the answer is a line of JSON. The loop's thread gives it:
// in a callback of the loop, or, if JavaScript does not let the loop go on, in an interruption of
// it. Where it does not even come to that (a system call that blocks), the answer says so. While
// somebody has asked for `top` and has not left, phases are measured and slow callbacks noted.
//
// Thread: as each function says.
#pragma once

#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/callback.h"
#include "base/fd.h"
#include "runtime/realm.h"

namespace rondo::runtime {

class Control {
 public:
  // `wake` makes the loop's thread call answer() soon; any thread may call it. The loop's thread.
  Control(Realm& realm, Callback<void()> wake);
  ~Control() { close(); }
  Control(const Control&) = delete;
  Control& operator=(const Control&) = delete;

  // Once, from any thread but the loop's. Whatever goes wrong, the program runs without it.
  void open();
  // Nobody is let in any more, and the socket is removed. Idempotent. The loop's thread.
  void close();
  // Answers what was asked, if anything was. The loop's thread, outside of JavaScript.
  void answer() { answer(false); }

 private:
  struct Client {
    Fd fd;
    std::string asked;  // The line as far as it has come.
    bool is_watching = false;
    std::chrono::steady_clock::time_point since;  // Of its last question.
  };
  enum class State : uint8_t { idle, asked, answered };

  bool make_door();
  static void* thread_main(void* self);
  void serve();
  void let_in(std::vector<Client>* clients);
  // False if it is to be sent away.
  bool read(Client* client);
  bool handle(Client* client, const std::string& question);
  // False if the client does not read it in time, has gone, or close() was called meanwhile.
  bool send_all(int fd, std::string_view text) const;
  void watch(bool is_watched);
  // The loop's answer to a question, or what can be said without it.
  std::string ask(const std::string& question);
  std::string answer_without_the_loop();
  void answer(bool is_interruption);
  static void on_interrupt(v8::Isolate* isolate, void* self);
  std::string describe(const std::string& question, bool is_interruption);
  std::string slow_callbacks();

  Realm& realm_;
  Callback<void()> wake_;
  const int32_t loop_tid_;
  // Of the directory rondo-UID, in which the sockets of all the user's processes are.
  std::string parent_;
  uid_t owner_ = 0;

  std::mutex mutex_;  // Of what follows.
  bool is_closed_ = false;
  std::string path_;  // Empty while there is no door.
  Fd door_;
  pthread_t thread_{};
  bool has_thread_ = false;

  std::mutex question_mutex_;  // Of what follows.
  std::condition_variable answered_;
  State state_ = State::idle;
  std::string question_;
  std::string answer_;

  int watchers_ = 0;           // The thread's.
  bool is_answering_ = false;  // The loop's thread.
};

}  // namespace rondo::runtime

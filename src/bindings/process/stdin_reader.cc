// internalBinding('stdin'): additions to a stream for process.stdin, and reading all of it
// synchronously.
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <string>

#include "base/sys.h"
#include "runtime/engine/realm.h"
#include "runtime/values/binding.h"
#include "runtime/values/values.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;
using runtime::Realm;

constexpr size_t kChunk = 65536;

// The stream of a pipe or socket makes descriptor 0 non-blocking. Other processes may share the
// open description, so its flags are restored when the program ends.
class StdinFlags {
 public:
  explicit StdinFlags(Realm&) {}
  ~StdinFlags() {
    struct stat now {};
    if (flags_ < 0 || ::fstat(STDIN_FILENO, &now) != 0) return;
    // The program may have closed it and opened another file.
    if (now.st_dev != status_.st_dev || now.st_ino != status_.st_ino) return;
    if (::fcntl(STDIN_FILENO, F_GETFL) != flags_) ::fcntl(STDIN_FILENO, F_SETFL, flags_);
  }
  StdinFlags(const StdinFlags&) = delete;
  StdinFlags& operator=(const StdinFlags&) = delete;

  void keep() {
    if (::fstat(STDIN_FILENO, &status_) == 0) flags_ = ::fcntl(STDIN_FILENO, F_GETFL);
  }

 private:
  int flags_ = -1;
  struct stat status_ {};
};

// keepFlags(): call it before descriptor 0 becomes a stream.
void keep_flags(const Arguments& info) { Realm::of(info.GetIsolate()).state<StdinFlags>().keep(); }

// readAllSync(): reads the program itself, before the loop runs.
void read_all_sync(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  std::string text;
  const std::unique_ptr<char[]> chunk(new char[kChunk]);
  for (;;) {
    const ssize_t size = sys::read(STDIN_FILENO, chunk.get(), kChunk);
    if (size < 0 && errno == EAGAIN) {
      pollfd waiting{STDIN_FILENO, POLLIN, 0};
      ::poll(&waiting, 1, -1);
      continue;
    }
    if (size < 0) {
      runtime::throw_error(isolate, Error::last("read"));
      return;
    }
    if (size == 0) break;
    text.append(chunk.get(), static_cast<size_t>(size));
  }
  v8::Local<v8::String> result;
  if (runtime::to_js(isolate, text).ToLocal(&result)) {
    info.GetReturnValue().Set(result);
  } else {
    runtime::throw_type_error(isolate, "standard input is longer than a string can be");
  }
}

constexpr runtime::Method kMethods[] = {
    {"keepFlags", keep_flags},
    {"readAllSync", read_all_sync},
};

}  // namespace

extern const runtime::Binding stdin_reader;
const runtime::Binding stdin_reader{"stdin", kMethods};

}  // namespace rondo::bindings

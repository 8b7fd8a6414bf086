// internalBinding('stdin'): reading descriptor 0, through the loop where it can be waited for.
#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <cstring>
#include <memory>
#include <string>

#include "base/sys.h"
#include "io/poll.h"
#include "loop/async.h"
#include "loop/loop.h"
#include "runtime/binding.h"
#include "runtime/js_entry.h"
#include "runtime/values.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;
using runtime::JsEntry;
using runtime::Realm;

constexpr size_t kChunk = 65536;

class StdinState {
 public:
  explicit StdinState(Realm& realm)
      : realm_(realm),
        poll_(realm.loop().make<Poll>(STDIN_FILENO)),
        next_(realm.loop().make<Async>([this](Async&) {
          if (!callback_.IsEmpty()) deliver();
        })) {
    next_->unref();
    next_->set_label("stdin");
    poll_->set_label("stdin");
  }
  ~StdinState() { restore_terminal(); }
  StdinState(const StdinState&) = delete;
  StdinState& operator=(const StdinState&) = delete;

  // One callback(errno, bytes): bytes are undefined at the end.
  void read(v8::Local<v8::Function> callback) {
    callback_.Reset(realm_.isolate(), callback);
    const Result<void> started =
        poll_->start(Poll::kReadable, [this](Poll&, const Result<uint32_t>&) { deliver(); });
    if (started) return;
    // A file is always ready: there is nothing to wait for. Its bytes come in poll all the same, as
    // those of anything else do (ORD-02).
    is_next_ = true;
    if (has_ref_) next_->ref();
    next_->send();
  }

  void stop() {
    poll_->stop();
    next_->unref();
    is_next_ = false;
    callback_.Reset();
  }

  void set_ref(bool has_ref) {
    has_ref_ = has_ref;
    if (has_ref) {
      poll_->ref();
      if (is_next_) next_->ref();
    } else {
      poll_->unref();
      next_->unref();
    }
  }

  void set_raw(bool is_raw) {
    if (!is_raw) {
      restore_terminal();
      return;
    }
    termios mode = {};
    if (::tcgetattr(STDIN_FILENO, &mode) != 0) return;
    if (!is_raw_) before_ = mode;
    is_raw_ = true;
    mode.c_iflag &= ~static_cast<tcflag_t>(BRKINT | ICRNL | INPCK | ISTRIP | IXON);
    mode.c_oflag |= ONLCR;
    mode.c_cflag |= CS8;
    mode.c_lflag &= ~static_cast<tcflag_t>(ECHO | ICANON | IEXTEN | ISIG);
    mode.c_cc[VMIN] = 1;
    mode.c_cc[VTIME] = 0;
    ::tcsetattr(STDIN_FILENO, TCSADRAIN, &mode);
  }

 private:
  void restore_terminal() {
    if (is_raw_) ::tcsetattr(STDIN_FILENO, TCSANOW, &before_);
    is_raw_ = false;
  }

  void deliver() {
    v8::Isolate* const isolate = realm_.isolate();
    const v8::HandleScope handles(isolate);
    const std::unique_ptr<char[]> chunk(new char[kChunk]);
    const ssize_t size = sys::read(STDIN_FILENO, chunk.get(), kChunk);
    const int error = size < 0 ? errno : 0;  // Before anything else can change it.
    if (error == EAGAIN) return;             // Somebody else read it; go on waiting.
    const v8::Local<v8::Function> callback = callback_.Get(isolate);
    stop();
    v8::Local<v8::Value> bytes = v8::Undefined(isolate);
    if (size > 0) {
      const v8::Local<v8::ArrayBuffer> buffer =
          v8::ArrayBuffer::New(isolate, static_cast<size_t>(size));
      std::memcpy(buffer->GetBackingStore()->Data(), chunk.get(), static_cast<size_t>(size));
      bytes = buffer;
    }
    JsEntry::call(realm_, callback, {v8::Integer::New(isolate, -error), bytes});
  }

  Realm& realm_;
  Owned<Poll> poll_;
  Owned<Async> next_;
  bool is_next_ = false;  // It was sent for, so that it keeps the loop alive if has_ref_.
  bool has_ref_ = true;
  v8::Global<v8::Function> callback_;
  termios before_{};
  bool is_raw_ = false;
};

StdinState& state_of(const Arguments& info) {
  return Realm::of(info.GetIsolate()).state<StdinState>();
}

void read(const Arguments& info) {
  RONDO_EXPECT(info, info[0]->IsFunction());
  state_of(info).read(info[0].As<v8::Function>());
}

void stop(const Arguments& info) { state_of(info).stop(); }
void set_ref(const Arguments& info) { state_of(info).set_ref(info[0]->IsTrue()); }
void set_raw_mode(const Arguments& info) { state_of(info).set_raw(info[0]->IsTrue()); }

// readAllSync(): the program itself, before the loop runs.
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
    {"read", read},
    {"stop", stop},
    {"setRef", set_ref},
    {"setRawMode", set_raw_mode},
    {"readAllSync", read_all_sync},
};

}  // namespace

extern const runtime::Binding stdin_reader;
const runtime::Binding stdin_reader{"stdin", kMethods};

}  // namespace rondo::bindings

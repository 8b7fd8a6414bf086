// internalBinding('stdio'): synchronous writes to a descriptor, for console and process.stdout, and
// the kind of a descriptor.
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <memory>

#include "base/sys.h"
#include "runtime/engine/realm.h"
#include "runtime/values/binding.h"
#include "runtime/values/values.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;

// Lines of this size are converted on the stack.
constexpr size_t kStackText = 4096;

// Writes everything; waits if the descriptor was made non-blocking by another process that shares
// it. Returns 0 or a negative errno.
int write_all(int fd, const char* data, size_t size) {
  while (size > 0) {
    const ssize_t written = sys::write(fd, data, size);
    if (written >= 0) {
      data += written;
      size -= static_cast<size_t>(written);
    } else if (errno == EAGAIN) {
      pollfd waiting{fd, POLLOUT, 0};
      ::poll(&waiting, 1, -1);
    } else {
      return -errno;
    }
  }
  return 0;
}

// writeString(fd, text): UTF-8. Returns 0 or a negative errno.
void write_string(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  RONDO_EXPECT(info, info[0]->IsInt32());
  RONDO_EXPECT(info, info[1]->IsString());
  const int fd = info[0].As<v8::Int32>()->Value();
  const v8::Local<v8::String> text = info[1].As<v8::String>();
  constexpr int kOptions = v8::String::WriteFlags::kReplaceInvalidUtf8;
  // One UTF-16 unit becomes at most three bytes.
  const size_t most = static_cast<size_t>(text->Length()) * 3;
  int result = 0;
  if (most <= kStackText) {
    char bytes[kStackText];
    result = write_all(fd, bytes, text->WriteUtf8V2(isolate, bytes, kStackText, kOptions));
  } else {
    const size_t length = text->Utf8LengthV2(isolate);
    const std::unique_ptr<char[]> bytes(new char[length]);
    const size_t size = text->WriteUtf8V2(isolate, bytes.get(), length, kOptions);
    result = write_all(fd, bytes.get(), size);
  }
  info.GetReturnValue().Set(result);
}

// writeBytes(fd, view)
void write_bytes(const Arguments& info) {
  RONDO_EXPECT(info, info[0]->IsInt32());
  RONDO_EXPECT(info, info[1]->IsArrayBufferView());
  const v8::Local<v8::ArrayBufferView> view = info[1].As<v8::ArrayBufferView>();
  const std::shared_ptr<v8::BackingStore> store = view->Buffer()->GetBackingStore();
  const char* const data = static_cast<const char*>(store->Data());
  const int fd = info[0].As<v8::Int32>()->Value();
  const size_t size = view->ByteLength();
  info.GetReturnValue().Set(size == 0 ? 0 : write_all(fd, data + view->ByteOffset(), size));
}

// kind(fd): "tty", "file", "pipe" (sockets too), "null" (a character device), "none".
void kind(const Arguments& info) {
  RONDO_EXPECT(info, info[0]->IsInt32());
  const int fd = info[0].As<v8::Int32>()->Value();
  struct stat status = {};
  const char* name = "none";
  if (::fstat(fd, &status) == 0) {
    if (S_ISCHR(status.st_mode)) {
      name = ::isatty(fd) == 1 ? "tty" : "null";
    } else if (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode)) {
      name = "pipe";
    } else {
      name = "file";
    }
  }
  info.GetReturnValue().Set(runtime::literal(info.GetIsolate(), name));
}

// windowSize(fd): [columns, rows], or undefined if it has no window.
void window_size(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  RONDO_EXPECT(info, info[0]->IsInt32());
  winsize size = {};
  if (::ioctl(info[0].As<v8::Int32>()->Value(), TIOCGWINSZ, &size) != 0) return;
  v8::Local<v8::Value> pair[] = {v8::Integer::New(isolate, size.ws_col),
                                 v8::Integer::New(isolate, size.ws_row)};
  info.GetReturnValue().Set(v8::Array::New(isolate, pair, 2));
}

constexpr runtime::Method kMethods[] = {
    {"writeString", write_string},
    {"writeBytes", write_bytes},
    {"kind", kind},
    {"windowSize", window_size},
};

}  // namespace

extern const runtime::Binding stdio;
const runtime::Binding stdio{"stdio", kMethods};

}  // namespace rondo::bindings

#include <fcntl.h>

#include <algorithm>

#include "bindings/fs/call.h"
#include "bindings/fs/ops.h"
#include "runtime/values/text.h"

// Operations on the content of files.
namespace rondo::bindings::fs {

namespace {

// A range of a view, clipped to its current size.
struct Part {
  std::span<std::byte> bytes;

  Part(v8::Local<v8::Value> view, v8::Local<v8::Value> offset, v8::Local<v8::Value> length) {
    runtime::Bytes all;
    if (!runtime::bytes_of(view, &all)) return;
    const size_t start =
        std::min(static_cast<size_t>(std::max(int64_arg(offset, 0), int64_t{0})), all.size);
    const size_t rest = all.size - start;
    const size_t size =
        std::min(static_cast<size_t>(std::max(int64_arg(length, INT64_MAX), int64_t{0})), rest);
    bytes = {reinterpret_cast<std::byte*>(all.data) + start, size};
  }
};

// Keeps the memory of a view alive, even if the view is collected or transferred to a thread.
std::shared_ptr<v8::BackingStore> memory_of(v8::Local<v8::Value> value) {
  if (value->IsArrayBufferView()) {
    return value.As<v8::ArrayBufferView>()->Buffer()->GetBackingStore();
  }
  if (value->IsArrayBuffer()) return value.As<v8::ArrayBuffer>()->GetBackingStore();
  if (value->IsSharedArrayBuffer()) return value.As<v8::SharedArrayBuffer>()->GetBackingStore();
  return nullptr;
}

// Negative values mean the current position.
int64_t position_arg(v8::Local<v8::Value> value) {
  return std::max(int64_arg(value, -1), int64_t{-1});
}

// (fd, view, offset, length, position, callback)
template <FsOp kOp, class Sync, class Async>
void move(const Arguments& info, Sync sync, Async async) {
  const int fd = int_arg(info[0]);
  const int64_t position = position_arg(info[4]);
  // First: this moves the memory of a small array out of V8's heap.
  std::shared_ptr<v8::BackingStore> memory = memory_of(info[1]);
  const Part part(info[1], info[2], info[3]);
  run<size_t, kOp>(
      info, Form::plain, nullptr, nullptr, [&] { return sync(fd, part.bytes, position); },
      [&](Fs fs, auto& pending, auto done) {
        pending.memory = std::move(memory);
        async(fs, pending.request, fd, part.bytes, position, done);
      });
}

// (fd, array of views, position, callback)
template <FsOp kOp, class Sync, class Async>
void move_parts(const Arguments& info, Sync sync, Async async) {
  const v8::Local<v8::Context> context = info.GetIsolate()->GetCurrentContext();
  const int fd = int_arg(info[0]);
  RONDO_EXPECT(info, info[1]->IsArray());
  const v8::Local<v8::Array> views = info[1].As<v8::Array>();
  const int64_t position = position_arg(info[2]);
  std::vector<iovec> parts;
  std::vector<std::shared_ptr<v8::BackingStore>> memories;
  const uint32_t count = views->Length();
  parts.reserve(count);
  const void* last = nullptr;  // Consecutive small buffers mostly share one memory.
  for (uint32_t i = 0; i < count; ++i) {
    const v8::HandleScope handles(info.GetIsolate());
    v8::Local<v8::Value> view;
    if (!views->Get(context, i).ToLocal(&view)) return;  // A getter of the program threw.
    if (!view->IsArrayBufferView()) {
      memories.push_back(memory_of(view));
    } else if (const auto buffer = view.As<v8::ArrayBufferView>()->Buffer();
               last == nullptr || buffer->Data() != last) {
      memories.push_back(buffer->GetBackingStore());
      last = buffer->Data();
    }
    runtime::Bytes bytes;
    if (!runtime::bytes_of(view, &bytes)) bytes = {};
    parts.push_back({bytes.data, bytes.size});
  }
  run<size_t, kOp>(
      info, Form::plain, nullptr, nullptr,
      [&] { return sync(fd, std::span<const iovec>(parts), position); },
      [&](Fs fs, auto& pending, auto done) {
        pending.memories = std::move(memories);
        pending.parts = std::move(parts);
        async(fs, pending.request, fd, std::span<const iovec>(pending.parts), position, done);
      });
}

template <FsOp kOp, Result<void> (*kSync)(int),
          void (Fs::*kAsync)(FsRequest<void>&, int, Fs::OnDone<void>)>
void on_descriptor(const Arguments& info) {
  const int fd = int_arg(info[0]);
  run<void, kOp>(
      info, Form::plain, nullptr, nullptr, [&] { return kSync(fd); },
      [&](Fs fs, auto& pending, auto done) { (fs.*kAsync)(pending.request, fd, done); });
}

}  // namespace

// open(path, flags, mode, callback)
void open(const Arguments& info) {
  const PathArg path(info.GetIsolate(), info[0]);
  const int flags = int_arg(info[1]);
  const mode_t mode = uint_arg(info[2]);
  run<int, FsOp::open>(
      info, Form::plain, &path, nullptr,
      [&] {
        Result<int> fd = fs_sync::open(path.c_str(), flags, mode);
        if (fd) record_opened(Realm::of(info.GetIsolate()), *fd);
        return fd;
      },
      [&](Fs fs, auto& pending, auto done) {
        fs.open(pending.request, path.view(), flags, mode, done);
      });
}

void close(const Arguments& info) {
  // Before closing, because another thread may get the same number immediately.
  record_closed(Realm::of(info.GetIsolate()), int_arg(info[0]));
  on_descriptor<FsOp::close, fs_sync::close, &Fs::close>(info);
}
void fsync(const Arguments& info) { on_descriptor<FsOp::fsync, fs_sync::fsync, &Fs::fsync>(info); }
void fdatasync(const Arguments& info) {
  on_descriptor<FsOp::fdatasync, fs_sync::fdatasync, &Fs::fdatasync>(info);
}

// read(fd, view, offset, length, position, callback): the number of bytes. A position of -1 or
// null means the current position.
void read(const Arguments& info) {
  move<FsOp::read>(info, fs_sync::read,
                   [](Fs fs, auto& request, int fd, auto bytes, int64_t at, auto done) {
                     fs.read(request, fd, bytes, at, done);
                   });
}

void write(const Arguments& info) {
  move<FsOp::write>(info, fs_sync::write,
                    [](Fs fs, auto& request, int fd, auto bytes, int64_t at, auto done) {
                      fs.write(request, fd, bytes, at, done);
                    });
}

// As write(), but repeated until all is written.
void write_all(const Arguments& info) {
  move<FsOp::write_all>(info, fs_sync::write_all,
                        [](Fs fs, auto& request, int fd, auto bytes, int64_t at, auto done) {
                          fs.write_all(request, fd, bytes, at, done);
                        });
}

// readv(fd, views, position, callback)
void readv(const Arguments& info) {
  // The kernel would return 0 for an empty list.
  RONDO_EXPECT(info, info[1]->IsArray());
  if (info[1].As<v8::Array>()->Length() == 0) {
    return throw_failure(info, Error{EINVAL, "read"}, nullptr, nullptr);
  }
  move_parts<FsOp::readv>(info, fs_sync::readv,
                          [](Fs fs, auto& request, int fd, auto parts, int64_t at, auto done) {
                            fs.readv(request, fd, parts, at, done);
                          });
}

void writev(const Arguments& info) {
  move_parts<FsOp::writev>(info, fs_sync::writev,
                           [](Fs fs, auto& request, int fd, auto parts, int64_t at, auto done) {
                             fs.writev(request, fd, parts, at, done);
                           });
}

// readFile(path or fd, flags, wantsText, callback): the content as an ArrayBuffer or a string.
void read_file(const Arguments& info) {
  const Form form = info[2]->IsTrue() ? Form::text : Form::plain;
  if (info[0]->IsNumber()) {
    const int fd = int_arg(info[0]);
    return run<FileBytes, FsOp::read_rest>(
        info, form, nullptr, nullptr, [&] { return fs_sync::read_rest(fd, fs_sync::kMostOfFile); },
        [&](Fs fs, auto& pending, auto done) {
          fs.read_rest(pending.request, fd, fs_sync::kMostOfFile, done);
        });
  }
  const PathArg path(info.GetIsolate(), info[0]);
  const int flags = int_arg(info[1]);
  run<FileBytes, FsOp::read_file>(
      info, form, &path, nullptr,
      [&] { return fs_sync::read_file(path.c_str(), flags, fs_sync::kMostOfFile); },
      [&](Fs fs, auto& pending, auto done) {
        fs.read_file(pending.request, path.view(), flags, fs_sync::kMostOfFile, done);
      });
}

// writeFile(path, view, flags, mode, callback)
void write_file(const Arguments& info) {
  const PathArg path(info.GetIsolate(), info[0]);
  std::shared_ptr<v8::BackingStore> memory = memory_of(info[1]);
  const Part part(info[1], v8::Undefined(info.GetIsolate()), v8::Undefined(info.GetIsolate()));
  const int flags = int_arg(info[2]);
  const mode_t mode = uint_arg(info[3]);
  run<void, FsOp::write_file>(
      info, Form::plain, &path, nullptr,
      [&] { return fs_sync::write_file(path.c_str(), part.bytes, flags, mode); },
      [&](Fs fs, auto& pending, auto done) {
        pending.memory = std::move(memory);
        fs.write_file(pending.request, path.view(), part.bytes, flags, mode, done);
      });
}

// sendfile(outFd, inFd, position, length, callback)
void sendfile(const Arguments& info) {
  const int out_fd = int_arg(info[0]);
  const int in_fd = int_arg(info[1]);
  const int64_t position = position_arg(info[2]);
  const auto length = static_cast<size_t>(std::max(int64_arg(info[3], 0), int64_t{0}));
  run<size_t, FsOp::sendfile>(
      info, Form::plain, nullptr, nullptr,
      [&] { return fs_sync::sendfile(out_fd, in_fd, position, length); },
      [&](Fs fs, auto& pending, auto done) {
        fs.sendfile(pending.request, out_fd, in_fd, position, length, done);
      });
}

// ftruncate(fd, length, callback)
void ftruncate(const Arguments& info) {
  const int fd = int_arg(info[0]);
  const int64_t length = int64_arg(info[1], 0);
  run<void, FsOp::ftruncate>(
      info, Form::plain, nullptr, nullptr, [&] { return fs_sync::ftruncate(fd, length); },
      [&](Fs fs, auto& pending, auto done) { fs.ftruncate(pending.request, fd, length, done); });
}

// truncate(path, length, callback)
void truncate(const Arguments& info) {
  const PathArg path(info.GetIsolate(), info[0]);
  const int64_t length = int64_arg(info[1], 0);
  run<void, FsOp::truncate>(
      info, Form::plain, &path, nullptr, [&] { return fs_sync::truncate(path.c_str(), length); },
      [&](Fs fs, auto& pending, auto done) {
        fs.truncate(pending.request, path.view(), length, done);
      });
}

}  // namespace rondo::bindings::fs

// internalBinding('stream_writes'): writing. The functions return 0 when everything was sent, 1
// when the rest is queued (StreamHook::written follows), or a negative errno.
#include <sys/uio.h>

#include <algorithm>
#include <cstring>

#include "bindings/net/stream_handle.h"
#include "io/net/socket.h"
#include "io/stream/write.h"
#include "runtime/values/binding.h"
#include "runtime/values/text.h"

namespace rondo::bindings {

using runtime::Arguments;
using runtime::Wrap;

namespace {

// Up to this size, pieces are joined in a buffer on the stack: copying is cheaper than a list.
constexpr size_t kFlat = 16 * 1024;
// The kernel's limit of pieces per call.
constexpr size_t kMostParts = 1024;

// A write that the kernel did not take completely, with its memory.
struct WaitingWrite {
  WaitingWrite(StreamCore& owner) : request(owner.stream().loop()), core(owner) {}
  Write request;
  StreamCore& core;
  std::vector<iovec> parts;
  std::unique_ptr<char[]> copy;
  std::vector<std::shared_ptr<v8::BackingStore>> keep;
};

// Removes this many bytes from the front.
std::span<iovec> skip(std::span<iovec> parts, size_t bytes) {
  while (!parts.empty() && bytes >= parts.front().iov_len) {
    bytes -= parts.front().iov_len;
    parts = parts.subspan(1);
  }
  if (!parts.empty()) {
    parts.front().iov_base = static_cast<char*>(parts.front().iov_base) + bytes;
    parts.front().iov_len -= bytes;
  }
  return parts;
}

void submit(std::unique_ptr<WaitingWrite> write) {
  WaitingWrite* const waiting = write.release();
  Stream& stream = waiting->core.stream();
  stream.write(waiting->request, std::span<const iovec>(waiting->parts),
               [waiting](Write&, Result<void> outcome) {
                 const std::unique_ptr<WaitingWrite> self(waiting);
                 StreamHandle* const handle = self->core.handle();
                 if (handle != nullptr) handle->call(StreamHook::written, outcome);
               });
}

}  // namespace

// `parts` is then what was not sent.
Result<void> StreamHandle::send(std::span<iovec>* parts) const {
  if (is_closing()) return Error{EBADF, "write"};
  Socket* const socket = this->socket();
  if (socket != nullptr && socket->is_connecting()) return {};  // Waits for the connection.
  if (parts->empty()) return {};
  // Once: a fast peer must not block the loop.
  const Result<size_t> sent = stream().try_write(parts->first(std::min(parts->size(), kMostParts)));
  if (sent) {
    *parts = skip(*parts, *sent);
    return {};
  }
  const int code = sent.error().code;
  if (code == EAGAIN || code == EWOULDBLOCK || code == ENOBUFS) return {};
  return sent.error();
}

int StreamHandle::write(std::span<iovec> parts) {
  if (const Result<void> sent = send(&parts); !sent) return -sent.error().code;
  if (parts.empty()) return 0;
  auto waiting = std::make_unique<WaitingWrite>(*core_);
  size_t size = 0;
  for (const iovec& part : parts) size += part.iov_len;
  waiting->copy.reset(new char[size]);
  size_t at = 0;
  for (const iovec& part : parts) {
    std::memcpy(waiting->copy.get() + at, part.iov_base, part.iov_len);
    at += part.iov_len;
  }
  waiting->parts.push_back({waiting->copy.get(), size});
  submit(std::move(waiting));
  return 1;
}

int StreamHandle::write(std::span<iovec> parts, std::vector<std::shared_ptr<v8::BackingStore>> keep,
                        std::unique_ptr<char[]> own) {
  if (const Result<void> sent = send(&parts); !sent) return -sent.error().code;
  if (parts.empty()) return 0;
  auto waiting = std::make_unique<WaitingWrite>(*core_);
  waiting->parts.assign(parts.begin(), parts.end());
  waiting->keep = std::move(keep);
  waiting->copy = std::move(own);
  submit(std::move(waiting));
  return 1;
}

namespace {

StreamHandle* handle_of(const Arguments& info) { return Wrap::of<StreamHandle>(info[0]); }

// write(stream, view)
void write(const Arguments& info) {
  StreamHandle* const handle = handle_of(info);
  RONDO_EXPECT(info, info[1]->IsArrayBufferView());
  const v8::Local<v8::ArrayBufferView> view = info[1].As<v8::ArrayBufferView>();
  if (handle == nullptr) {
    info.GetReturnValue().Set(-EBADF);
    return;
  }
  runtime::Bytes bytes;
  runtime::bytes_of(view, &bytes);
  iovec part{bytes.data, bytes.size};
  std::span<iovec> parts(&part, 1);
  if (bytes.size == 0) parts = {};
  if (const Result<void> sent = handle->send(&parts); !sent) {
    info.GetReturnValue().Set(-sent.error().code);
  } else if (parts.empty()) {
    info.GetReturnValue().Set(0);
  } else {
    info.GetReturnValue().Set(handle->write(parts, {view->Buffer()->GetBackingStore()}, nullptr));
  }
}

// writeUtf8(stream, text)
void write_utf8(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  StreamHandle* const handle = handle_of(info);
  RONDO_EXPECT(info, info[1]->IsString());
  const v8::Local<v8::String> text = info[1].As<v8::String>();
  if (handle == nullptr) {
    info.GetReturnValue().Set(-EBADF);
    return;
  }
  // A UTF-16 unit becomes at most three bytes.
  if (static_cast<size_t>(text->Length()) * 3 <= kFlat) {
    uint8_t flat[kFlat];
    iovec part{flat, runtime::write_utf8(isolate, text, flat, sizeof flat).bytes};
    info.GetReturnValue().Set(handle->write(std::span(&part, part.iov_len == 0 ? 0 : 1)));
    return;
  }
  const size_t size = runtime::utf8_length(isolate, text);
  std::unique_ptr<char[]> own(new char[size]);
  runtime::write_utf8(isolate, text, reinterpret_cast<uint8_t*>(own.get()), size);
  iovec part{own.get(), size};
  info.GetReturnValue().Set(handle->write(std::span(&part, 1), {}, std::move(own)));
}

// writeLatin1(stream, text)
void write_latin1(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  StreamHandle* const handle = handle_of(info);
  RONDO_EXPECT(info, info[1]->IsString());
  const v8::Local<v8::String> text = info[1].As<v8::String>();
  if (handle == nullptr) {
    info.GetReturnValue().Set(-EBADF);
    return;
  }
  const auto size = static_cast<size_t>(text->Length());
  if (size <= kFlat) {
    uint8_t flat[kFlat];
    runtime::read_latin1(isolate, text, flat, 0, size);
    iovec part{flat, size};
    info.GetReturnValue().Set(handle->write(std::span(&part, size == 0 ? 0 : 1)));
    return;
  }
  std::unique_ptr<char[]> own(new char[size]);
  runtime::read_latin1(isolate, text, reinterpret_cast<uint8_t*>(own.get()), 0, size);
  iovec part{own.get(), size};
  info.GetReturnValue().Set(handle->write(std::span(&part, 1), {}, std::move(own)));
}

// The pieces of writev(): views and texts, each with a flag for latin1.
struct Pieces {
  struct Piece {
    v8::Local<v8::ArrayBufferView> view;
    v8::Local<v8::String> text;
    bool is_latin1;
    size_t size;
  };
  std::vector<Piece> all;
  size_t total = 0;
  size_t of_texts = 0;
};

// False if the list is invalid.
bool read_pieces(v8::Isolate* isolate, v8::Local<v8::Array> list, Pieces* result) {
  const v8::Local<v8::Context> context = isolate->GetCurrentContext();
  Pieces& pieces = *result;
  const uint32_t length = list->Length();
  pieces.all.reserve(length / 2);
  for (uint32_t i = 0; i + 1 < length; i += 2) {
    v8::Local<v8::Value> chunk;
    v8::Local<v8::Value> is_latin1;
    if (!list->Get(context, i).ToLocal(&chunk)) return false;
    if (!list->Get(context, i + 1).ToLocal(&is_latin1)) return false;
    Pieces::Piece piece{};
    if (chunk->IsString()) {
      piece.text = chunk.As<v8::String>();
      piece.is_latin1 = is_latin1->IsTrue();
      piece.size = piece.is_latin1 ? static_cast<size_t>(piece.text->Length())
                                   : runtime::utf8_length(isolate, piece.text);
      pieces.of_texts += piece.size;
    } else {
      if (!chunk->IsArrayBufferView()) return false;
      piece.view = chunk.As<v8::ArrayBufferView>();
      piece.size = piece.view->ByteLength();
    }
    if (piece.size == 0) continue;
    pieces.total += piece.size;
    pieces.all.push_back(piece);
  }
  return true;
}

void encode(v8::Isolate* isolate, const Pieces::Piece& piece, uint8_t* out) {
  if (piece.is_latin1) {
    runtime::read_latin1(isolate, piece.text, out, 0, piece.size);
  } else {
    runtime::write_utf8(isolate, piece.text, out, piece.size);
  }
}

// writev(stream, [chunk, is latin1, chunk, ...])
void writev(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  StreamHandle* const handle = handle_of(info);
  RONDO_EXPECT(info, info[1]->IsArray());
  if (handle == nullptr) {
    info.GetReturnValue().Set(-EBADF);
    return;
  }
  Pieces pieces;
  RONDO_EXPECT(info, read_pieces(isolate, info[1].As<v8::Array>(), &pieces));
  if (pieces.total <= kFlat) {
    uint8_t flat[kFlat];
    size_t at = 0;
    for (const Pieces::Piece& piece : pieces.all) {
      if (piece.text.IsEmpty()) {
        piece.view->CopyContents(flat + at, piece.size);
      } else {
        encode(isolate, piece, flat + at);
      }
      at += piece.size;
    }
    iovec part{flat, at};
    info.GetReturnValue().Set(handle->write(std::span(&part, at == 0 ? 0 : 1)));
    return;
  }
  std::unique_ptr<char[]> own(pieces.of_texts != 0 ? new char[pieces.of_texts] : nullptr);
  size_t at = 0;
  std::vector<iovec> parts;
  std::vector<std::shared_ptr<v8::BackingStore>> keep;
  parts.reserve(pieces.all.size());
  for (const Pieces::Piece& piece : pieces.all) {
    if (piece.text.IsEmpty()) {
      keep.push_back(piece.view->Buffer()->GetBackingStore());
      parts.push_back(
          {static_cast<char*>(keep.back()->Data()) + piece.view->ByteOffset(), piece.size});
    } else {
      encode(isolate, piece, reinterpret_cast<uint8_t*>(own.get()) + at);
      parts.push_back({own.get() + at, piece.size});
      at += piece.size;
    }
  }
  info.GetReturnValue().Set(handle->write(std::span(parts), std::move(keep), std::move(own)));
}

// The tryWrite functions return 0 when everything was sent, 1 + the number of bytes sent when some
// were not, or a negative errno. Nothing is queued.
void answer_try(const Arguments& info, StreamHandle* handle, void* data, size_t size) {
  iovec part{data, size};
  std::span<iovec> parts(&part, size == 0 ? 0 : 1);
  if (handle == nullptr) {
    info.GetReturnValue().Set(-EBADF);
  } else if (const Result<void> sent = handle->send(&parts); !sent) {
    info.GetReturnValue().Set(-sent.error().code);
  } else if (parts.empty()) {
    info.GetReturnValue().Set(0);
  } else {
    info.GetReturnValue().Set(static_cast<double>(size - parts.front().iov_len + 1));
  }
}

// tryWrite(stream, view)
void try_write(const Arguments& info) {
  RONDO_EXPECT(info, info[1]->IsArrayBufferView());
  runtime::Bytes bytes;
  runtime::bytes_of(info[1], &bytes);
  answer_try(info, handle_of(info), bytes.data, bytes.size);
}

// tryWriteUtf8(stream, text)
void try_write_utf8(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  RONDO_EXPECT(info, info[1]->IsString());
  const v8::Local<v8::String> text = info[1].As<v8::String>();
  if (static_cast<size_t>(text->Length()) * 3 <= kFlat) {
    uint8_t flat[kFlat];
    const size_t size = runtime::write_utf8(isolate, text, flat, sizeof flat).bytes;
    answer_try(info, handle_of(info), flat, size);
    return;
  }
  const size_t size = runtime::utf8_length(isolate, text);
  runtime::Scratch<uint8_t> bytes(size);
  if (!runtime::is_allocated(isolate, bytes)) return;
  runtime::write_utf8(isolate, text, bytes.data(), size);
  answer_try(info, handle_of(info), bytes.data(), size);
}

// tryWriteLatin1(stream, text)
void try_write_latin1(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  RONDO_EXPECT(info, info[1]->IsString());
  const v8::Local<v8::String> text = info[1].As<v8::String>();
  const auto size = static_cast<size_t>(text->Length());
  runtime::Scratch<uint8_t> bytes(size);
  if (!runtime::is_allocated(isolate, bytes)) return;
  runtime::read_latin1(isolate, text, bytes.data(), 0, size);
  answer_try(info, handle_of(info), bytes.data(), size);
}

constexpr runtime::Method kMethods[] = {
    {"write", write},
    {"writeUtf8", write_utf8},
    {"writeLatin1", write_latin1},
    {"writev", writev},
    {"tryWrite", try_write},
    {"tryWriteUtf8", try_write_utf8},
    {"tryWriteLatin1", try_write_latin1},
};

}  // namespace

extern const runtime::Binding stream_writes;
const runtime::Binding stream_writes{"stream_writes", kMethods};

}  // namespace rondo::bindings

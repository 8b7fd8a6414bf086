// internalBinding('stream_writes'): the method of a stream that sends.
#include <sys/uio.h>

#include <algorithm>
#include <cstring>

#include "bindings/net/stream_handle.h"
#include "io/net/socket.h"
#include "io/stream/write.h"
#include "runtime/values/binding.h"
#include "runtime/values/contract.h"
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
struct QueuedWrite {
  explicit QueuedWrite(Loop& loop) : request(loop) {}
  Write request;
  std::vector<iovec> parts;
  WriteMemory memory;
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

}  // namespace

Result<bool> StreamHandle::send(std::span<iovec>* parts) const {
  if (is_closing()) return Error{EBADF, "write"};
  if (parts->empty()) return false;
  const std::span<iovec> offered = parts->first(std::min(parts->size(), kMostParts));
  const Result<size_t> sent = stream().try_write(offered);
  if (!sent) {
    const int code = sent.error().code;
    if (code == EAGAIN || code == EWOULDBLOCK || code == ENOBUFS) return true;
    return sent.error();
  }
  *parts = skip(*parts, *sent);
  return !parts->empty() && parts->data() < offered.data() + offered.size();
}

void StreamHandle::queue(std::span<const iovec> rest, WriteMemory memory, StreamConsumer* by,
                         bool is_full) {
  auto* const write = new QueuedWrite(stream().loop());
  write->parts.assign(rest.begin(), rest.end());
  write->memory = std::move(memory);
  auto on_done = [this, write, by](Write&, Result<void> outcome) {
    delete write;
    report_written(by, outcome);
  };
  if (is_full) {
    stream().queue(write->request, write->parts, on_done);
  } else {
    stream().write(write->request, std::span<const iovec>(write->parts), on_done);
  }
}

void StreamHandle::report_written(StreamConsumer* by, const Result<void>& outcome) {
  if (by == nullptr) {
    call(StreamHook::written, outcome);
  } else if (by == consumer()) {
    by->on_written(*this, outcome);
  }
}

namespace {

// Copies the rest of a write of one part, whose memory is about to go.
WriteMemory copy(std::span<iovec> rest) {
  iovec& part = rest.front();
  WriteMemory memory{.bytes = std::unique_ptr<char[]>(new char[part.iov_len])};
  std::memcpy(memory.bytes.get(), part.iov_base, part.iov_len);
  part.iov_base = memory.bytes.get();
  return memory;
}

Result<WriteState> send_view(StreamHandle& handle, v8::Local<v8::ArrayBufferView> view) {
  runtime::Bytes bytes;
  runtime::bytes_of(view, &bytes);
  iovec part{bytes.data, bytes.size};
  return handle.write(std::span(&part, bytes.size == 0 ? 0 : 1), [view](std::span<iovec>) {
    return WriteMemory{.stores = {view->Buffer()->GetBackingStore()}};
  });
}

size_t encode(v8::Isolate* isolate, v8::Local<v8::String> text, bool is_latin1, void* out,
              size_t size) {
  auto* const bytes = static_cast<uint8_t*>(out);
  if (!is_latin1) return runtime::write_utf8(isolate, text, bytes, size).bytes;
  runtime::read_latin1(isolate, text, bytes, 0, static_cast<size_t>(text->Length()));
  return static_cast<size_t>(text->Length());
}

size_t encoded_size(v8::Isolate* isolate, v8::Local<v8::String> text, bool is_latin1) {
  return is_latin1 ? static_cast<size_t>(text->Length()) : runtime::utf8_length(isolate, text);
}

Result<WriteState> send_text(StreamHandle& handle, v8::Local<v8::String> text, bool is_latin1) {
  v8::Isolate* const isolate = handle.isolate();
  // A UTF-16 unit becomes at most three bytes.
  const size_t most = static_cast<size_t>(text->Length()) * (is_latin1 ? 1 : 3);
  if (most <= kFlat) {
    char flat[kFlat];
    iovec part{flat, encode(isolate, text, is_latin1, flat, sizeof flat)};
    return handle.write(std::span(&part, part.iov_len == 0 ? 0 : 1), copy);
  }
  const size_t size = encoded_size(isolate, text, is_latin1);
  WriteMemory memory{.bytes = std::unique_ptr<char[]>(new char[size])};
  iovec part{memory.bytes.get(), encode(isolate, text, is_latin1, memory.bytes.get(), size)};
  return handle.write(std::span(&part, 1),
                      [&memory](std::span<iovec>) { return std::move(memory); });
}

// The chunks of a list: views and texts, each followed by a flag for latin1.
struct Chunks {
  struct Chunk {
    v8::Local<v8::ArrayBufferView> view;
    v8::Local<v8::String> text;
    bool is_latin1;
    size_t size;
  };
  std::vector<Chunk> all;
  size_t total = 0;
  size_t of_texts = 0;
};

// False if the list is invalid.
bool read_chunks(v8::Isolate* isolate, v8::Local<v8::Array> list, Chunks* chunks) {
  const v8::Local<v8::Context> context = isolate->GetCurrentContext();
  const uint32_t length = list->Length();
  chunks->all.reserve(length / 2);
  for (uint32_t i = 0; i + 1 < length; i += 2) {
    v8::Local<v8::Value> value;
    v8::Local<v8::Value> is_latin1;
    if (!list->Get(context, i).ToLocal(&value)) return false;
    if (!list->Get(context, i + 1).ToLocal(&is_latin1)) return false;
    Chunks::Chunk chunk{};
    if (value->IsString()) {
      chunk.text = value.As<v8::String>();
      chunk.is_latin1 = is_latin1->IsTrue();
      chunk.size = encoded_size(isolate, chunk.text, chunk.is_latin1);
      chunks->of_texts += chunk.size;
    } else {
      if (!value->IsArrayBufferView()) return false;
      chunk.view = value.As<v8::ArrayBufferView>();
      chunk.size = chunk.view->ByteLength();
    }
    if (chunk.size == 0) continue;
    chunks->total += chunk.size;
    chunks->all.push_back(chunk);
  }
  return true;
}

std::vector<iovec> lay_out(v8::Isolate* isolate, const Chunks& chunks, WriteMemory* memory) {
  size_t at = 0;
  if (chunks.of_texts != 0) memory->bytes.reset(new char[chunks.of_texts]);
  std::vector<iovec> parts;
  parts.reserve(chunks.all.size());
  for (const Chunks::Chunk& chunk : chunks.all) {
    if (chunk.text.IsEmpty()) {
      memory->stores.push_back(chunk.view->Buffer()->GetBackingStore());
      parts.push_back({static_cast<char*>(memory->stores.back()->Data()) + chunk.view->ByteOffset(),
                       chunk.size});
    } else {
      encode(isolate, chunk.text, chunk.is_latin1, memory->bytes.get() + at, chunk.size);
      parts.push_back({memory->bytes.get() + at, chunk.size});
      at += chunk.size;
    }
  }
  return parts;
}

Result<WriteState> send_list(StreamHandle& handle, const Chunks& chunks) {
  v8::Isolate* const isolate = handle.isolate();
  size_t at = 0;
  if (chunks.total <= kFlat) {
    char flat[kFlat];
    for (const Chunks::Chunk& chunk : chunks.all) {
      if (chunk.text.IsEmpty()) {
        chunk.view->CopyContents(flat + at, chunk.size);
      } else {
        encode(isolate, chunk.text, chunk.is_latin1, flat + at, chunk.size);
      }
      at += chunk.size;
    }
    iovec part{flat, at};
    return handle.write(std::span(&part, at == 0 ? 0 : 1), copy);
  }
  WriteMemory memory;
  std::vector<iovec> parts = lay_out(isolate, chunks, &memory);
  return handle.write(std::span(parts), [&memory](std::span<iovec>) { return std::move(memory); });
}

// send(view), send(text, is latin1), send([chunk, is latin1, chunk, ...]): kSent, kQueued or a
// negative errno. Texts are UTF-8 unless they are latin1.
void send(const Arguments& info) {
  auto* const handle = Wrap::of<StreamHandle>(info.This());
  const bool is_view = info[0]->IsArrayBufferView();
  RONDO_EXPECT(info, is_view || info[0]->IsString() || info[0]->IsArray());
  if (handle == nullptr) return info.GetReturnValue().Set(-EBADF);
  Result<WriteState> state = WriteState::sent;
  if (is_view) {
    state = send_view(*handle, info[0].As<v8::ArrayBufferView>());
  } else if (info[0]->IsString()) {
    state = send_text(*handle, info[0].As<v8::String>(), info[1]->IsTrue());
  } else {
    Chunks chunks;
    RONDO_EXPECT(info, read_chunks(info.GetIsolate(), info[0].As<v8::Array>(), &chunks));
    state = send_list(*handle, chunks);
  }
  info.GetReturnValue().Set(state ? static_cast<int>(*state) : -state.error().code);
}

}  // namespace

bool read_send_data(const Arguments& info, SendData* data) {
  v8::Isolate* const isolate = info.GetIsolate();
  if (info[0]->IsString()) {
    const v8::Local<v8::String> text = info[0].As<v8::String>();
    const bool is_latin1 = info[1]->IsTrue();
    if (static_cast<size_t>(text->Length()) * (is_latin1 ? 1 : 3) <= SendData::kMostText) {
      const size_t size = encode(isolate, text, is_latin1, data->text, SendData::kMostText);
      data->one = {data->text, size};
      data->parts = {&data->one, size == 0 ? size_t{0} : 1};
      return true;
    }
  }
  Chunks chunks;
  if (info[0]->IsArray()) {
    if (!read_chunks(isolate, info[0].As<v8::Array>(), &chunks)) return false;
  } else {
    v8::Local<v8::Value> pair[] = {info[0], info[1]};
    const v8::Local<v8::Array> list = v8::Array::New(isolate, pair, 2);
    if (!read_chunks(isolate, list, &chunks)) return false;
  }
  data->many = lay_out(isolate, chunks, &data->memory);
  data->parts = data->many;
  return true;
}

namespace {

constexpr runtime::Method kMethods[] = {{"send", send}};

constexpr runtime::Constant kStates[] = {
    {"kSent", WriteState::sent},
    {"kQueued", WriteState::queued},
};

void add_constants(v8::Isolate* isolate, v8::Local<v8::Object> target) {
  runtime::set_constants(isolate, target, kStates);
}

}  // namespace

extern const runtime::Binding stream_writes;
const runtime::Binding stream_writes{"stream_writes", kMethods, add_constants};

}  // namespace rondo::bindings

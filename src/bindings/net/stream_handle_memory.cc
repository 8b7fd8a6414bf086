// Memory for data that streams read, shared with JavaScript.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "bindings/net/stream_handle.h"
#include "io/stream/read_buffer.h"
#include "loop/internals.h"
#include "runtime/values/text.h"

namespace rondo::bindings {

namespace {

// Reads up to this size are copied.
constexpr size_t kFew = 8 * 1024;
constexpr size_t kSlabOfFew = 64 * 1024;
constexpr size_t kSlabOfMany = 256 * 1024;
// Views are aligned for any type of typed array.
constexpr size_t kAlignment = 8;
// About as many slabs as a busy server fills between two collections; more are freed.
constexpr size_t kMostKept = 128;

}  // namespace

// V8 frees on its own threads, possibly after the realm has ended.
class StreamState::Pool {
 public:
  Pool() = default;
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool() {
    for (void* memory : free_) std::free(memory);
  }

  void* take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return nullptr;
    void* const memory = free_.back();
    free_.pop_back();
    return memory;
  }

  void give_back(void* memory) {
    {
      const std::lock_guard lock(mutex_);
      if (free_.size() < kMostKept) {
        free_.push_back(memory);
        return;
      }
    }
    std::free(memory);
  }

 private:
  std::mutex mutex_;
  std::vector<void*> free_;
};

StreamState::StreamState(runtime::Realm& realm) : realm_(realm), pool_(std::make_shared<Pool>()) {}

StreamState::~StreamState() { realm_.loop().internals().service<ReadBuffer>().lend({}); }

void StreamState::renew(Slab* slab, size_t size) {
  v8::Isolate* const isolate = realm_.isolate();
  const bool is_pooled = size == kSlabOfMany;
  void* memory = is_pooled ? pool_->take() : nullptr;
  // V8 checks how much external memory the young generation holds, and collects it, only when it
  // allocates some itself: without this call it waits until there is so much that it collects
  // everything.
  if (is_pooled) v8::ArrayBuffer::NewBackingStore(isolate, 1);
  // Not from V8's allocator, which clears memory and returns it to the system.
  if (memory == nullptr) memory = std::malloc(size);
  RONDO_ASSERT(memory != nullptr);
  runtime::MemoryCount* const count = realm_.array_buffer_count();
  v8::Local<v8::ArrayBuffer> buffer;
  if (is_pooled) {
    struct Owner {
      std::shared_ptr<Pool> pool;
      runtime::MemoryCount* count;
    };
    slab->memory = v8::ArrayBuffer::NewBackingStore(
        memory, size,
        [](void* data, size_t length, void* given) {
          const std::unique_ptr<Owner> owner(static_cast<Owner*>(given));
          owner->pool->give_back(data);
          runtime::MemoryCount::end(owner->count, length);
        },
        new Owner{pool_, count != nullptr ? count->begin(size) : nullptr});
    buffer = v8::ArrayBuffer::New(isolate, slab->memory);
  } else {
    buffer = runtime::own_memory(isolate, memory, size);
    slab->memory = buffer->GetBackingStore();
  }
  slab->used = 0;
  // As with Buffer's pool, the memory is shared, so it must not be transferred.
  // internalBinding('messaging') checks this mark.
  const v8::Local<v8::Private> mark =
      v8::Private::ForApi(isolate, runtime::literal(isolate, "rondo:untransferable"));
  buffer->SetPrivate(realm_.context(), mark, v8::True(isolate)).Check();
  slab->buffer.Reset(isolate, buffer);
}

StreamState::Piece StreamState::take(Slab* slab, size_t size) {
  const size_t offset = slab->used;
  slab->used =
      std::min(slab->memory->ByteLength(), (offset + size + kAlignment - 1) & ~(kAlignment - 1));
  return {slab->buffer.Get(realm_.isolate()), offset};
}

void StreamState::lend() {
  // Every read gets the full size: programs can observe how much arrives at once.
  if (many_.room() < ReadBuffer::kSize) renew(&many_, kSlabOfMany);
  realm_.loop().internals().service<ReadBuffer>().lend(
      {many_.data() + many_.used, ReadBuffer::kSize});
}

StreamState::Piece StreamState::keep(std::span<const std::byte> bytes) {
  if (bytes.size() <= kFew) return keep_copy(bytes);
  if (many_.memory != nullptr && bytes.data() == many_.data() + many_.used) {
    const Piece piece = take(&many_, bytes.size());
    lend();
    return piece;
  }
  if (bytes.size() > kSlabOfMany) return keep_copy(bytes);
  if (many_.room() < bytes.size()) renew(&many_, kSlabOfMany);
  const Piece piece = take(&many_, bytes.size());
  std::memcpy(many_.data() + piece.offset, bytes.data(), bytes.size());
  lend();
  return piece;
}

std::span<std::byte> StreamState::room() {
  if (made_.room() < kRoom) renew(&made_, kSlabOfMany);
  return {made_.data() + made_.used, kRoom};
}

StreamState::Piece StreamState::keep_room(size_t size) {
  if (size <= kFew) return keep_copy({made_.data() + made_.used, size});
  return take(&made_, size);
}

StreamState::Piece StreamState::keep_copy(std::span<const std::byte> bytes) {
  if (bytes.size() > kFew) {
    Slab own;
    renew(&own, bytes.size());
    std::memcpy(own.data(), bytes.data(), bytes.size());
    return {own.buffer.Get(realm_.isolate()), 0};
  }
  if (few_.room() < bytes.size()) renew(&few_, kSlabOfFew);
  const Piece piece = take(&few_, bytes.size());
  std::memcpy(few_.data() + piece.offset, bytes.data(), bytes.size());
  return piece;
}

}  // namespace rondo::bindings

// internalBinding('crypto_random'): cryptographically secure random bytes or, with --seed, the same
// ones in each run. lib/internal/crypto checks the arguments.
#include <openssl/crypto.h>
#include <openssl/rand.h>

#include <algorithm>
#include <charconv>
#include <climits>
#include <cstring>
#include <optional>

#include "bindings/crypto/job.h"
#include "runtime/values/binding.h"

namespace rondo::bindings {

namespace crypto {

namespace {

using runtime::Arguments;
using runtime::Bytes;
using runtime::Realm;

bool fill_randomly(uint8_t* data, size_t size) {
  while (size > 0) {
    const int part = static_cast<int>(std::min<size_t>(size, INT_MAX));
    if (RAND_bytes(data, part) != 1) return false;
    data += part;
    size -= static_cast<size_t>(part);
  }
  return true;
}

// With --seed the whole run is determined by one number, including its random bytes: SplitMix64,
// which is short and has no weak seeds. Such bytes are for tests, and are not secret.
class Randomness {
 public:
  explicit Randomness(Realm& realm) {
    for (const auto& [name, value] : realm.options().flags) {
      uint64_t seed = 0;
      const char* const end = value.data() + value.size();
      if (name == "seed" && std::from_chars(value.data(), end, seed).ec == std::errc{}) {
        // Differs from the initial state of the loop's choices.
        state_ = seed ^ 0x243F6A8885A308D3;
      }
    }
  }
  bool is_seeded() const { return state_.has_value(); }
  void fill(uint8_t* data, size_t size) {
    while (size > 0) {
      const uint64_t number = next();
      const size_t part = std::min(size, sizeof number);
      std::memcpy(data, &number, part);
      data += part;
      size -= part;
    }
  }

 private:
  uint64_t next() {
    uint64_t mixed = (*state_ += 0x9E3779B97F4A7C15);
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
    return mixed ^ (mixed >> 31);
  }
  std::optional<uint64_t> state_;
};

struct Fill {
  static constexpr const char* kLabel = "random bytes";
  static constexpr const char* kFailed = "Generating random bytes failed";
  uint8_t* data = nullptr;
  size_t size = 0;
  std::shared_ptr<v8::BackingStore> keeps;
  bool is_filled = false;

  bool run() { return is_filled || fill_randomly(data, size); }
  v8::Local<v8::Value> result(v8::Isolate* isolate) { return v8::Undefined(isolate); }
};

std::shared_ptr<v8::BackingStore> store_of(v8::Local<v8::Value> value) {
  if (value->IsArrayBufferView()) {
    return value.As<v8::ArrayBufferView>()->Buffer()->GetBackingStore();
  }
  if (value->IsSharedArrayBuffer()) return value.As<v8::SharedArrayBuffer>()->GetBackingStore();
  return value.As<v8::ArrayBuffer>()->GetBackingStore();
}

size_t index_of(v8::Local<v8::Value> value) {
  const double number = value->IsNumber() ? value.As<v8::Number>()->Value() : 0;
  return number > 0 && number < 0x1p53 ? static_cast<size_t>(number) : 0;
}

// fill(view, offset, size, callback): bytes of a view or an ArrayBuffer.
void fill(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  Bytes bytes;
  RONDO_EXPECT(info, runtime::bytes_of(info[0], &bytes));
  const size_t offset = std::min(index_of(info[1]), bytes.size);
  Fill task;
  task.data = bytes.data + offset;
  task.size = std::min(index_of(info[2]), bytes.size - offset);
  task.keeps = store_of(info[0]);
  Randomness& randomness = Realm::of(isolate).state<Randomness>();
  if (randomness.is_seeded()) {
    // Now, not on a worker: the bytes must not depend on which worker is faster.
    randomness.fill(task.data, task.size);
    task.is_filled = true;
  }
  run_or_submit(info, std::move(task), info[3]);
}

// equal(left, right): of the same size, in constant time.
void equal(const Arguments& info) {
  Bytes left;
  Bytes right;
  if (!runtime::bytes_of(info[0], &left) || !runtime::bytes_of(info[1], &right)) return;
  if (left.size != right.size) return;
  info.GetReturnValue().Set(left.size == 0 || CRYPTO_memcmp(left.data, right.data, left.size) == 0);
}

constexpr runtime::Method kMethods[] = {
    {"fill", fill},
    {"equal", equal},
};

}  // namespace

}  // namespace crypto

extern const runtime::Binding crypto_random;
const runtime::Binding crypto_random{"crypto_random", crypto::kMethods};

}  // namespace rondo::bindings

// internalBinding('crypto_prime'): generates and checks prime numbers. lib/internal/crypto checks
// the types of arguments.
#include <openssl/bn.h>

#include <optional>

#include "bindings/crypto/job.h"
#include "runtime/values/binding.h"

namespace rondo::bindings {

namespace crypto {

namespace {

using runtime::Arguments;
using runtime::ErrorClass;
using runtime::throw_coded;

using Number = std::unique_ptr<BIGNUM, FreeWith<BN_clear_free>>;
using Scratch = std::unique_ptr<BN_CTX, FreeWith<BN_CTX_free>>;

constexpr const char* kFailed = "could not generate prime";

bool is_prime(const BIGNUM* number, int checks, BN_CTX* scratch, bool* has_failed) {
// BN_check_prime() does not take the number of checks.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  const int answer = BN_is_prime_ex(number, checks, scratch, nullptr);
#pragma GCC diagnostic pop
  if (answer < 0) *has_failed = true;
  return answer == 1;
}

struct Generate {
  static constexpr const char* kLabel = "prime";
  static constexpr const char* kFailed = crypto::kFailed;
  static constexpr bool kShowsCause = true;
  int bits = 0;
  bool is_safe = false;
  Number add;
  Number rem;
  Number start;  // With --seed: where the search begins.
  Number prime{BN_secure_new()};

  bool run() {
    if (!prime) return false;
    if (start) return search();
    return BN_generate_prime_ex(prime.get(), bits, is_safe ? 1 : 0, add.get(), rem.get(),
                                nullptr) == 1;
  }

  v8::Local<v8::Value> result(v8::Isolate* isolate) {
    const int size = BN_num_bytes(prime.get());
    const v8::Local<v8::ArrayBuffer> bytes =
        v8::ArrayBuffer::New(isolate, static_cast<size_t>(size));
    BN_bn2binpad(prime.get(), static_cast<unsigned char*>(bytes->Data()), size);
    return bytes;
  }

 private:
  // The smallest candidate from `prime` on: of the right size and remainder.
  bool settle(BN_CTX* scratch) {
    if (BN_set_bit(prime.get(), bits - 1) != 1) return false;
    if (!add) return BN_set_bit(prime.get(), bits - 2) == 1 && BN_set_bit(prime.get(), 0) == 1;
    const Number excess(BN_new());
    if (!excess || BN_div(nullptr, excess.get(), prime.get(), add.get(), scratch) != 1 ||
        BN_sub(prime.get(), prime.get(), excess.get()) != 1) {
      return false;
    }
    const bool has_rem = rem ? BN_add(prime.get(), prime.get(), rem.get()) == 1
                             : BN_add_word(prime.get(), is_safe ? 3 : 1) == 1;
    if (!has_rem) return false;
    return BN_num_bits(prime.get()) >= bits || BN_add(prime.get(), prime.get(), add.get()) == 1;
  }

  // Looks through all candidates from `start` on, and from the smallest one after the largest.
  bool search() {
    const Scratch scratch(BN_CTX_new());
    if (!scratch || BN_copy(prime.get(), start.get()) == nullptr) return false;
    if (BN_num_bits(prime.get()) > bits && BN_mask_bits(prime.get(), bits) != 1) return false;
    if (!settle(scratch.get())) return false;
    for (int rounds = 0; rounds < 2;) {
      bool has_failed = false;
      if (BN_num_bits(prime.get()) > bits) {
        ++rounds;
        BN_zero(prime.get());
        if (!settle(scratch.get())) return false;
        continue;
      }
      if (is_good(scratch.get(), &has_failed)) return true;
      const bool is_stepped =
          add ? BN_add(prime.get(), prime.get(), add.get()) == 1 : BN_add_word(prime.get(), 2) == 1;
      if (has_failed || !is_stepped) return false;
    }
    return false;
  }

  bool is_good(BN_CTX* scratch, bool* has_failed) const {
    if (!is_prime(prime.get(), 0, scratch, has_failed)) return false;
    if (!is_safe) return true;
    const Number half(BN_new());
    if (!half || BN_rshift1(half.get(), prime.get()) != 1) return false;
    return is_prime(half.get(), 0, scratch, has_failed);
  }
};

struct Check {
  static constexpr const char* kLabel = "prime";
  static constexpr const char* kFailed = "could not check prime";
  static constexpr bool kShowsCause = true;
  Number candidate;
  int checks = 0;
  bool is_prime_number = false;

  bool run() {
    const Scratch scratch(BN_CTX_new());
    if (!scratch) return false;
    bool has_failed = false;
    is_prime_number = is_prime(candidate.get(), checks, scratch.get(), &has_failed);
    return !has_failed;
  }
  v8::Local<v8::Value> result(v8::Isolate* isolate) {
    return v8::Boolean::New(isolate, is_prime_number);
  }
};

// Null, and an error was thrown, if the bytes are too many for OpenSSL.
Number number_of(v8::Isolate* isolate, v8::Local<v8::Value> value) {
  const Input input(isolate, value);
  if (!input.is_valid()) return nullptr;
  take_errors();
  Number number(input.size() <= INT32_MAX
                    ? BN_bin2bn(input.data(), static_cast<int>(input.size()), nullptr)
                    : nullptr);
  if (!number) throw_openssl_error(isolate, kFailed);
  return number;
}

// An absent option leaves the number null. False if an error was thrown.
bool read_option(v8::Isolate* isolate, v8::Local<v8::Value> value, Number* number) {
  if (value->IsUndefined()) return true;
  *number = number_of(isolate, value);
  return *number != nullptr;
}

// generate(bits, isSafe, add, rem, start, callback): an ArrayBuffer. The last but one is undefined
// unless there is a seed.
void generate(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  RONDO_EXPECT(info, info[0]->IsInt32() && info[0].As<v8::Int32>()->Value() > 0);
  Generate task;
  task.bits = info[0].As<v8::Int32>()->Value();
  task.is_safe = info[1]->IsTrue();
  if (!read_option(isolate, info[2], &task.add) || !read_option(isolate, info[3], &task.rem) ||
      !read_option(isolate, info[4], &task.start)) {
    return;
  }
  // OpenSSL would search forever.
  if (task.add && BN_num_bits(task.add.get()) > task.bits) {
    return throw_coded(isolate, ErrorClass::range_error, "ERR_OUT_OF_RANGE", "invalid options.add");
  }
  if (task.add && task.rem && BN_cmp(task.add.get(), task.rem.get()) <= 0) {
    return throw_coded(isolate, ErrorClass::range_error, "ERR_OUT_OF_RANGE", "invalid options.rem");
  }
  if (task.bits < 2) task.start.reset();  // OpenSSL reports the error.
  run_or_submit(info, std::move(task), info[5]);
}

// check(candidate, checks, callback): a boolean.
void check(const Arguments& info) {
  Check task;
  task.candidate = number_of(info.GetIsolate(), info[0]);
  if (!task.candidate) return;
  RONDO_EXPECT(info, info[1]->IsInt32() && info[1].As<v8::Int32>()->Value() >= 0);
  task.checks = info[1].As<v8::Int32>()->Value();
  run_or_submit(info, std::move(task), info[2]);
}

constexpr runtime::Method kMethods[] = {
    {"generate", generate},
    {"check", check},
};

}  // namespace

}  // namespace crypto

extern const runtime::Binding crypto_prime;
const runtime::Binding crypto_prime{"crypto_prime", crypto::kMethods};

}  // namespace rondo::bindings

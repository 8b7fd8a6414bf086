// internalBinding('zlib_one_shot'): compresses and decompresses whole inputs, in the call or in
// one job of the pool.
#include <algorithm>
#include <cstdlib>
#include <tuple>
#include <utility>

#include "base/list.h"
#include "bindings/zlib/arguments.h"
#include "bindings/zlib/whole_input.h"
#include "loop/callback_scope.h"
#include "loop/request.h"
#include "runtime/engine/js_entry.h"
#include "runtime/values/binding.h"
#include "runtime/values/contract.h"
#include "runtime/values/text.h"

namespace rondo::bindings {

namespace zlib {

namespace {

using runtime::Arguments;
using runtime::Realm;

// Reasons for which lib throws errors of its own.
enum class Refusal : uint8_t { none, too_large, garbage, no_memory };
constexpr runtime::Constant kRefusals[] = {
    {"kTooLarge", Refusal::too_large},
    {"kGarbage", Refusal::garbage},
    {"kNoMemory", Refusal::no_memory},
};

struct Freed {
  void operator()(uint8_t* memory) const { std::free(memory); }
};
using OwnBytes = std::unique_ptr<uint8_t, Freed>;

// The input, the options and the result of one call. Any thread may run it.
class Task {
 public:
  Mode mode = Mode::none;
  std::unique_ptr<Codec> codec;  // Null: use `whole`.
  std::shared_ptr<WholeInput> whole;
  int level = -1;
  Memory input;
  // As in Node's streams, the input is written with the first operation. If `has_second`, an empty
  // input is then written with the second one.
  int first_flush = 0;
  int second_flush = 0;
  bool has_second = false;
  bool rejects_garbage = false;
  size_t chunk = 0;  // Node's size of output buffers. The output of compressors depends on it.
  size_t most = 0;   // The most bytes of output.

  void run();
  // The number of jobs that Node's stream would need, without the first.
  uint32_t more_trips() const {
    const size_t full_outputs = std::min(size_, most) / chunk;
    return static_cast<uint32_t>(full_outputs + (is_first_done_ ? 1 : 0));
  }
  // Returns an ArrayBuffer, or [message, errno, code], or the number of a Refusal.
  v8::Local<v8::Value> result(v8::Isolate* isolate);

 private:
  // These return false if the task has failed.
  bool pump(Buffers* buffers, int flush);
  bool grow();
  size_t first_capacity() const;
  bool refuse(Refusal refusal) {
    refusal_ = refusal;
    return false;
  }

  OwnBytes out_;
  size_t size_ = 0;
  size_t capacity_ = 0;
  bool is_first_done_ = false;  // The first operation has ended without an error.
  Refusal refusal_ = Refusal::none;
  std::optional<Failure> failure_;
};

// Smaller inputs are compressed by zlib: the result is then the same as Node's, byte by byte, and
// little time can be saved.
constexpr size_t kLeastWhole = 4096;
// Deflate cannot compress better than this.
constexpr size_t kMostRatio = 1032;
// Room behind the expected end: zlib's fast loop needs it, and the end is then found at once.
constexpr size_t kSlack = 512;

size_t Task::first_capacity() const {
  if (!is_decoder(mode)) return chunk;
  size_t expected = input.size < SIZE_MAX / 8 ? input.size * 4 : input.size;
  const bool may_be_gzip = mode == Mode::gunzip || mode == Mode::unzip;
  if (may_be_gzip && input.size >= 18 && input.data[0] == 0x1f && input.data[1] == 0x8b) {
    // Gzip ends with the size of the output, which is untrusted.
    const uint8_t* const end = input.data + input.size;
    const size_t stated = end[-4] | end[-3] << 8 | end[-2] << 16 | size_t{end[-1]} << 24;
    if (stated / kMostRatio <= input.size) expected = stated;
  }
  return std::max(std::min(expected, most), size_t{256}) + kSlack;
}

bool Task::grow() {
  const size_t wanted = capacity_ == 0 ? first_capacity() : capacity_ * 2;
  auto* const larger = static_cast<uint8_t*>(std::realloc(out_.get(), wanted));
  if (larger == nullptr) return refuse(Refusal::no_memory);
  static_cast<void>(out_.release());
  out_.reset(larger);
  capacity_ = wanted;
  return true;
}

bool Task::pump(Buffers* buffers, int flush) {
  do {
    if (size_ == capacity_ && !grow()) return false;
    buffers->out = out_.get() + size_;
    const size_t room =
        is_decoder(mode) ? capacity_ - size_ : std::min(capacity_ - size_, chunk - size_ % chunk);
    buffers->out_size = room;
    codec->run(*buffers, flush);
    failure_ = codec->failure();
    if (failure_) return false;
    size_ += room - buffers->out_size;
    if (size_ > most) return refuse(Refusal::too_large);
  } while (buffers->out_size == 0);
  return true;
}

void Task::run() {
  if (codec == nullptr) {
    out_.reset(whole->compress(mode, level, {input.data, input.size}, &size_));
    if (out_ == nullptr) refuse(Refusal::no_memory);
    is_first_done_ = size_ <= most;
    if (!is_first_done_) refuse(Refusal::too_large);
    return;
  }
  Buffers buffers{input.data, input.size, nullptr, 0};
  if (!pump(&buffers, first_flush)) return;
  if (buffers.in_size > 0 && rejects_garbage) {
    refuse(Refusal::garbage);
    return;
  }
  is_first_done_ = true;
  if (has_second) {
    Buffers none;
    if (!pump(&none, second_flush)) return;
  }
  if (size_ == 0) return out_.reset();
  auto* const fitted = static_cast<uint8_t*>(std::realloc(out_.get(), size_));
  if (fitted == nullptr) return;
  static_cast<void>(out_.release());
  out_.reset(fitted);
}

v8::Local<v8::Value> Task::result(v8::Isolate* isolate) {
  if (failure_) return to_js(isolate, *failure_);
  if (refusal_ != Refusal::none) return v8::Integer::New(isolate, static_cast<int>(refusal_));
  return runtime::own_memory(isolate, out_.release(), size_);
}

// Deletes itself after its callback.
class Job final : public PoolRequest {
 public:
  Job(Realm& realm, Task task, v8::Local<v8::Function> callback)
      : PoolRequest(realm.loop(), label_of(task.mode)),
        realm_(&realm),
        task_(std::move(task)),
        callback_(realm.isolate(), callback) {}
  void submit() { submit_to_pool(); }
  // The realm has ended. Best effort: a job that has started runs to its end.
  void orphan() {
    realm_ = nullptr;
    callback_.Reset();
    std::ignore = cancel();
  }

  ListLink link;

 private:
  ~Job() override = default;

  void work() override {
    task_.run();
    add_trips(task_.more_trips());
  }
  void worked(Result<void> done) override {
    Realm* const realm = realm_;
    if (link.is_linked()) link.unlink();
    if (realm == nullptr || !done) {
      delete this;
      return;
    }
    v8::Isolate* const isolate = realm->isolate();
    const CallbackScope scope(loop(), id(), label());
    const v8::HandleScope handles(isolate);
    const v8::Local<v8::Function> callback = callback_.Get(isolate);
    const v8::Local<v8::Value> result = task_.result(isolate);
    delete this;
    runtime::JsEntry::call(*realm, callback, {result});
  }

  Realm* realm_;
  Task task_;
  v8::Global<v8::Function> callback_;
};

// The jobs in flight of a realm, and the compressors that they share.
class State {
 public:
  explicit State(Realm&) {}
  ~State() {
    while (Job* job = jobs_.pop_front()) job->orphan();
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void add(Job& job) { jobs_.push_back(job); }
  const std::shared_ptr<WholeInput>& whole() const { return whole_; }

 private:
  List<Job, &Job::link> jobs_;
  std::shared_ptr<WholeInput> whole_ = std::make_shared<WholeInput>();
};

// run(mode, settings, dictionary, rejectsGarbage, pledgedSize, input, size, firstFlush,
// secondFlush or undefined, chunkSize, mostOutput, isWhole, callback): the result, unless there is
// a callback, which gets it. `isWhole`: the options allow any valid result.
void run(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  Realm& realm = Realm::of(isolate);
  CodecArguments codec(info, 0);
  RONDO_EXPECT(info, codec.is_valid);
  constexpr int kNext = CodecArguments::kCount;
  Task task;
  task.mode = codec.mode;
  task.level = codec.settings.level;
  task.rejects_garbage = info[3]->IsTrue();
  if (!take_memory(isolate, info[kNext], v8::Integer::New(isolate, 0), info[kNext + 1], "input",
                   &task.input)) {
    return;
  }
  task.first_flush = int_arg(info[kNext + 2]);
  task.has_second = info[kNext + 3]->IsNumber();
  task.second_flush = int_arg(info[kNext + 3]);
  task.chunk = size_arg(info[kNext + 4]);
  task.most = size_arg(info[kNext + 5]);
  RONDO_EXPECT(info, task.chunk > 0);
  if (info[kNext + 6]->IsTrue() && task.input.size >= kLeastWhole &&
      WholeInput::supports(codec.mode, codec.settings)) {
    task.whole = realm.state<State>().whole();
  } else {
    task.codec = codec.make(isolate);
    if (task.codec == nullptr) return;
  }
  if (info[kNext + 7]->IsFunction()) {
    auto* const job = new Job(realm, std::move(task), info[kNext + 7].As<v8::Function>());
    realm.state<State>().add(*job);
    job->submit();
    return;
  }
  task.run();
  info.GetReturnValue().Set(task.result(isolate));
}

void add_constants(v8::Isolate* isolate, v8::Local<v8::Object> target) {
  runtime::set_constants(isolate, target, kRefusals);
}

constexpr runtime::Method kMethods[] = {{"run", run}};

}  // namespace

}  // namespace zlib

extern const runtime::Binding zlib_one_shot;
const runtime::Binding zlib_one_shot{"zlib_one_shot", zlib::kMethods, zlib::add_constants};

}  // namespace rondo::bindings

// internalBinding('zlib_stream'): streams of zlib, as objects with lib's prototype.
#include "bindings/zlib/stream.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <tuple>
#include <utility>

#include "loop/callback_scope.h"
#include "runtime/engine/js_entry.h"
#include "runtime/values/binding.h"
#include "runtime/values/contract.h"
#include "runtime/values/text.h"

namespace rondo::bindings {

namespace zlib {

namespace {

using runtime::Arguments;
using runtime::Realm;
using runtime::Wrap;

// The functions of lib/internal/zlib/handle.js. The receiver is the object of the stream.
enum class StreamHook : uint8_t {
  written,  // ()
  failed,   // ([message, errno, code])
  count,
};
constexpr runtime::Constant kHooks[] = {
    {"onWritten", StreamHook::written},
    {"onFailed", StreamHook::failed},
};
static_assert(runtime::names_all(kHooks, StreamHook::count));

// Shared by the streams of a realm.
struct StreamState {
  explicit StreamState(Realm&) {}
  std::array<v8::Global<v8::Function>, static_cast<size_t>(StreamHook::count)> hooks;
  v8::Global<v8::Object> pattern;
};

}  // namespace

WriteJob::WriteJob(Loop& loop, Mode mode, std::unique_ptr<Codec> codec, Stream& owner)
    : PoolRequest(loop, label_of(mode)),
      owner_(&owner),
      codec_(std::move(codec)),
      works_ahead_(is_decoder(mode)) {}

void WriteJob::prepare(int flush, Memory input, Memory output, size_t chunk) {
  flush_ = flush;
  buffers_ = {input.data, input.size, output.data, output.size};
  input_ = std::move(input);
  output_ = std::move(output);
  chunk_ = chunk;
}

void WriteJob::submit() {
  if (ahead_.empty()) {
    submit_to_pool();
  } else {
    give_ahead();
    submit_finished_in_turn();
  }
}

void WriteJob::run_now() {
  if (ahead_.empty()) {
    codec_->run(buffers_, flush_);
    failure_ = codec_->failure();
  } else {
    give_ahead();
  }
}

void WriteJob::abandon() {
  if (!is_pending()) {
    delete this;
    return;
  }
  owner_ = nullptr;
  // Best effort: a job that has started runs to its end.
  std::ignore = cancel();
}

std::optional<Failure> WriteJob::reset() {
  ahead_.clear();
  return codec_->reset();
}

void WriteJob::work() {
  codec_->run(buffers_, flush_);
  failure_ = codec_->failure();
  if (works_ahead_) work_ahead();
}

void WriteJob::work_ahead() {
  Buffers rest = buffers_;
  size_t total = 0;
  bool has_more = !failure_ && rest.out_size == 0;
  while (has_more && chunk_ > 0 && total + chunk_ <= kMostAhead) {
    Ahead next;
    next.bytes = std::make_unique_for_overwrite<uint8_t[]>(chunk_);
    rest.out = next.bytes.get();
    rest.out_size = chunk_;
    codec_->run(rest, flush_);
    next.failure = codec_->failure();
    next.size = chunk_ - rest.out_size;
    next.in_left = rest.in_size;
    total += chunk_;
    has_more = !next.failure && rest.out_size == 0;
    ahead_.push_back(std::move(next));
  }
}

// Completes a write with output that an earlier job has produced.
void WriteJob::give_ahead() {
  Ahead& next = ahead_.front();
  const size_t size = std::min(next.size - next.given, buffers_.out_size);
  std::memcpy(buffers_.out, next.bytes.get() + next.given, size);
  next.given += size;
  buffers_.out_size -= size;
  if (next.given < next.size) return;
  buffers_.in_size = std::min(next.in_left, buffers_.in_size);
  failure_ = std::move(next.failure);
  ahead_.pop_front();
}

void WriteJob::worked(Result<void> done) {
  input_ = {};
  output_ = {};
  if (owner_ == nullptr || !done) {
    if (owner_ == nullptr) delete this;
    return;
  }
  owner_->written();
}

Stream::Stream(Realm& realm, v8::Local<v8::Object> pattern, Mode mode, std::unique_ptr<Codec> codec,
               std::shared_ptr<v8::BackingStore> answer)
    : Wrap(realm, kind_of<Stream>(), pattern),
      job_(new WriteJob(realm.loop(), mode, std::move(codec), *this)),
      answer_(std::move(answer)) {
  account();
  release();
}

Stream::~Stream() {
  is_writing_ = false;
  close();
}

void Stream::write(int flush, Memory input, Memory output, size_t chunk) {
  is_writing_ = true;
  hold();
  job_->prepare(flush, std::move(input), std::move(output), chunk);
  job_->submit();
}

std::optional<Failure> Stream::write_now(int flush, Memory input, Memory output, size_t chunk) {
  job_->prepare(flush, std::move(input), std::move(output), chunk);
  job_->run_now();
  account();
  note_answer();
  return job_->failure();
}

std::optional<Failure> Stream::reset() {
  std::optional<Failure> failure = job_->reset();
  account();
  return failure;
}

std::optional<Failure> Stream::set_level(int level, int strategy) {
  if (is_writing_) {
    level_after_write_ = {level, strategy};
    return {};
  }
  std::optional<Failure> failure = job_->codec().set_level(level, strategy);
  account();
  return failure;
}

void Stream::close() {
  if (is_writing_) {
    closes_after_write_ = true;
    return;
  }
  if (job_ == nullptr) return;
  std::exchange(job_, nullptr)->abandon();
  account();
}

void Stream::written() {
  is_writing_ = false;
  const v8::HandleScope handles(isolate());
  account();
  release();
  const CallbackScope scope(job_->loop(), job_->id(), job_->label());
  const auto& state = realm().state<StreamState>();
  const auto hook_of = [&](StreamHook hook) {
    return state.hooks[static_cast<size_t>(hook)].Get(isolate());
  };
  const v8::Local<v8::Object> receiver = object();
  Realm& owner = realm();
  std::optional<Failure> failure = job_->failure();
  if (const auto level = std::exchange(level_after_write_, std::nullopt); level && !failure) {
    failure = set_level(level->level, level->strategy);
  }
  v8::Local<v8::Function> hook;
  v8::Local<v8::Value> argument = v8::Undefined(isolate());
  if (failure) {
    hook = hook_of(StreamHook::failed);
    argument = to_js(isolate(), *failure);
  } else {
    note_answer();
    hook = hook_of(StreamHook::written);
  }
  if (closes_after_write_) close();
  runtime::JsEntry::call(owner, hook, receiver, {argument});
}

void Stream::note_answer() {
  const double answer[] = {static_cast<double>(job_->out_left()),
                           static_cast<double>(job_->in_left())};
  std::memcpy(answer_->Data(), answer, std::min(sizeof answer, answer_->ByteLength()));
}

void Stream::account() {
  const int64_t now = job_ == nullptr ? 0 : job_->codec().memory();
  if (now == accounted_) return;
  isolate()->AdjustAmountOfExternalAllocatedMemory(now - accounted_);
  accounted_ = now;
}

namespace {

void set_hooks(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  auto& state = Realm::of(isolate).state<StreamState>();
  runtime::take_functions(isolate, info[0], kHooks,
                          [&](size_t number, v8::Local<v8::Function> function) {
                            state.hooks[number].Reset(isolate, function);
                          });
}

// makePattern(prototype): the object that is cloned for each stream. lib adds its fields.
void make_pattern(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  Realm& realm = Realm::of(isolate);
  RONDO_EXPECT(info, info[0]->IsObject());
  const v8::Local<v8::Object> pattern = Wrap::make_pattern(realm, info[0]);
  realm.state<StreamState>().pattern.Reset(isolate, pattern);
  info.GetReturnValue().Set(pattern);
}

// create(mode, settings, dictionary, rejectsGarbage, pledgedSize, answer): a stream. `answer` is a
// Float64Array of two elements: after each write, the bytes that are left of output and input.
void create(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  Realm& realm = Realm::of(isolate);
  CodecArguments arguments(info, 0);
  RONDO_EXPECT(info, arguments.is_valid);
  const v8::Local<v8::Value> answer = info[CodecArguments::kCount];
  RONDO_EXPECT(info, answer->IsFloat64Array());
  RONDO_EXPECT(info, answer.As<v8::Float64Array>()->ByteOffset() == 0);
  RONDO_EXPECT(info, !realm.state<StreamState>().pattern.IsEmpty());
  RONDO_EXPECT(info, !realm.state<StreamState>().hooks[0].IsEmpty());
  std::unique_ptr<Codec> codec = arguments.make(isolate);
  if (codec == nullptr) return;
  auto* const stream =
      new Stream(realm, realm.state<StreamState>().pattern.Get(isolate), arguments.mode,
                 std::move(codec), answer.As<v8::Float64Array>()->Buffer()->GetBackingStore());
  info.GetReturnValue().Set(stream->object());
}

// (stream, flush, input, offset, size, output, offset, size, chunk)
bool take_buffers(const Arguments& info, Memory* input, Memory* output) {
  v8::Isolate* const isolate = info.GetIsolate();
  return take_memory(isolate, info[2], info[3], info[4], "input", input) &&
         take_memory(isolate, info[5], info[6], info[7], "output", output);
}

// write(stream, flush, input, inputOffset, inputSize, output, outputOffset, outputSize, chunkSize):
// onWritten() or onFailed() follows.
void write(const Arguments& info) {
  auto* const stream = Wrap::of<Stream>(info[0]);
  RONDO_EXPECT(info, stream != nullptr);
  RONDO_EXPECT(info, stream->is_open());
  RONDO_EXPECT(info, !stream->is_writing());
  Memory input;
  Memory output;
  if (!take_buffers(info, &input, &output)) return;
  stream->write(int_arg(info[1]), std::move(input), std::move(output), size_arg(info[8]));
}

// writeSync(...): as write(), but returns [message, errno, code] if it fails.
void write_sync(const Arguments& info) {
  auto* const stream = Wrap::of<Stream>(info[0]);
  RONDO_EXPECT(info, stream != nullptr);
  RONDO_EXPECT(info, stream->is_open());
  RONDO_EXPECT(info, !stream->is_writing());
  Memory input;
  Memory output;
  if (!take_buffers(info, &input, &output)) return;
  const std::optional<Failure> failure =
      stream->write_now(int_arg(info[1]), std::move(input), std::move(output), size_arg(info[8]));
  if (failure) info.GetReturnValue().Set(to_js(info.GetIsolate(), *failure));
}

// reset(stream): [message, errno, code] if it fails.
void reset(const Arguments& info) {
  auto* const stream = Wrap::of<Stream>(info[0]);
  RONDO_EXPECT(info, stream != nullptr);
  if (stream->is_writing()) {
    info.GetIsolate()->ThrowException(v8::Exception::Error(
        runtime::to_js(info.GetIsolate(), "Cannot reset zlib stream while a write is in progress")
            .ToLocalChecked()));
    return;
  }
  RONDO_EXPECT(info, stream->is_open());
  const std::optional<Failure> failure = stream->reset();
  if (failure) info.GetReturnValue().Set(to_js(info.GetIsolate(), *failure));
}

// setLevel(stream, level, strategy): [message, errno, code] if it fails.
void set_level(const Arguments& info) {
  auto* const stream = Wrap::of<Stream>(info[0]);
  RONDO_EXPECT(info, stream != nullptr);
  RONDO_EXPECT(info, stream->is_open());
  const std::optional<Failure> failure = stream->set_level(int_arg(info[1]), int_arg(info[2]));
  if (failure) info.GetReturnValue().Set(to_js(info.GetIsolate(), *failure));
}

// close(stream): frees the memory, after a write in progress.
void close(const Arguments& info) {
  auto* const stream = Wrap::of<Stream>(info[0]);
  RONDO_EXPECT(info, stream != nullptr);
  stream->close();
}

constexpr runtime::Method kMethods[] = {
    {"setHooks", set_hooks},   {"makePattern", make_pattern},
    {"create", create},        {"write", write},
    {"writeSync", write_sync}, {"reset", reset},
    {"setLevel", set_level},   {"close", close},
};

}  // namespace

}  // namespace zlib

extern const runtime::Binding zlib_stream;
const runtime::Binding zlib_stream{"zlib_stream", zlib::kMethods};

}  // namespace rondo::bindings

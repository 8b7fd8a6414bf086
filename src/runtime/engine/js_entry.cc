#include "runtime/engine/js_entry.h"

#include "loop/trace/file.h"
#include "runtime/control/report.h"
#include "runtime/engine/commons.h"
#include "runtime/values/values.h"

namespace rondo::runtime {

namespace {

// Node's exit code for an exception in the handler of uncaught exceptions.
constexpr int kExceptionInHandler = 7;

void note_uncaught(Realm& realm, v8::Local<v8::Message> message) {
  TraceFile& trace = *realm.options().trace;
  const std::string text = message.IsEmpty() ? "Uncaught" : to_std(realm.isolate(), message->Get());
  trace.note(TraceCode::uncaught, 0, trace.ring().text(text), trace.current(), 0);
}

bool is_stack_overflow(v8::Isolate* isolate, v8::Local<v8::Message> message) {
  return !message.IsEmpty() &&
         to_std(isolate, message->Get()) == "Uncaught RangeError: Maximum call stack size exceeded";
}

bool has_javascript_on_stack(v8::Isolate* isolate) {
  return v8::StackTrace::CurrentStackTrace(isolate, 1)->GetFrameCount() > 0;
}

// Triggers the flight recorder if it has this trigger. Called after the report, so that the reason
// is printed first.
void write_flight(const Realm& realm) {
  if (realm.options().trace == nullptr || realm.commons() == nullptr) return;
  FlightRecorder* const flight = realm.commons()->flight;
  if (flight != nullptr && flight->options().on_uncaught) flight->write("uncaught error", false);
}

}  // namespace

v8::MaybeLocal<v8::Value> JsEntry::call_undrained(
    Realm& realm, v8::Local<v8::Function> function, v8::Local<v8::Value> receiver,
    std::initializer_list<v8::Local<v8::Value>> arguments) {
  // Native code between two entries may have consumed the termination of request_exit().
  realm.exit_if_requested();
  if (realm.is_exiting_) return {};
  v8::TryCatch caught(realm.isolate_);
  if (realm.depth_++ == 0) {
    realm.watchdog_.enter();
    realm.reset_frame();
    realm.entered_ = function;
  }
  // V8 takes a pointer to non-const, but does not write through it.
  v8::MaybeLocal<v8::Value> result =
      function->Call(realm.context(), receiver, static_cast<int>(arguments.size()),
                     const_cast<v8::Local<v8::Value>*>(arguments.begin()));
  if (--realm.depth_ == 0) {
    realm.entered_.Clear();
    realm.watchdog_.leave();
  }
  realm.exit_if_requested();
  if (result.IsEmpty() && caught.HasCaught() && !caught.HasTerminated()) {
    uncaught(realm, caught.Exception(), caught.Message(), false);
  }
  if (realm.is_exiting_ && realm.depth_ == 0) realm.isolate_->CancelTerminateExecution();
  return result;
}

v8::MaybeLocal<v8::Value> JsEntry::call(Realm& realm, v8::Local<v8::Function> function,
                                        v8::Local<v8::Value> receiver,
                                        std::initializer_list<v8::Local<v8::Value>> arguments) {
  v8::MaybeLocal<v8::Value> result = call_undrained(realm, function, receiver, arguments);
  // As in Node, the queues wait for the next callback if this one threw (TICK-05).
  if (result.IsEmpty()) {
    realm.shared(Shared::waiting_queues) = 1;
  } else {
    drain(realm, true);
  }
  return result;
}

void JsEntry::drain(Realm& realm, bool has_just_left) {
  if (realm.depth_ > 0) return;
  realm.exit_if_requested();
  if (realm.is_exiting_ || !realm.has_hooks()) return;
  // TICK-04: within a phase, both queues wait for the end of the phase.
  if (realm.options_.ticks_per_phase && realm.loop_.phase() != Phase::none) return;
  realm.shared(Shared::waiting_queues) = 0;
  if (realm.shared(Shared::has_ticks) == 0 && realm.shared(Shared::has_rejections) == 0) {
    ++realm.depth_;
    if (has_just_left) {
      realm.watchdog_.enter_again();
    } else {
      realm.watchdog_.enter();
    }
    realm.reset_frame();
    realm.shared(Shared::drains) = realm.shared(Shared::drains) + 1;
    realm.isolate_->PerformMicrotaskCheckpoint();
    realm.shared(Shared::drains) = realm.shared(Shared::drains) + 1;
    realm.watchdog_.leave();
    --realm.depth_;
    realm.exit_if_requested();
    if (realm.is_exiting_) {
      realm.isolate_->CancelTerminateExecution();
      return;
    }
  }
  // After a tick that throws, the ticks behind it stay in the queue until the next callback has
  // run. When an exception was handled, lib sets an immediate, so that there is such a callback.
  if (realm.shared(Shared::has_ticks) != 0 || realm.shared(Shared::has_rejections) != 0) {
    const bool has_thrown =
        call_undrained(realm, realm.hook(Hook::process_ticks), v8::Undefined(realm.isolate_), {})
            .IsEmpty();
    realm.shared(Shared::waiting_queues) = has_thrown ? 1 : 0;
  }
}

void JsEntry::uncaught(Realm& realm, v8::Local<v8::Value> exception, v8::Local<v8::Message> message,
                       bool is_from_promise) {
  v8::Isolate* const isolate = realm.isolate_;
  if (realm.is_exiting_) return;
  if (!realm.has_hooks()) {
    report_exception(isolate, exception, message);
    realm.exit(1);
    return;
  }
  v8::Local<v8::Value> arguments[] = {exception, v8::Boolean::New(isolate, is_from_promise)};
  v8::TryCatch caught(isolate);
  ++realm.depth_;
  const v8::MaybeLocal<v8::Value> handled =
      realm.hook(Hook::uncaught_exception)
          ->Call(realm.context(), v8::Undefined(isolate), 2, arguments);
  --realm.depth_;
  realm.exit_if_requested();
  if (realm.is_exiting_) {  // The handler called process.exit().
    if (realm.depth_ == 0) isolate->CancelTerminateExecution();
    return;
  }
  v8::Local<v8::Value> answer;
  // A promise hook overflowed the stack, and so did the handler: leave the exception to the code
  // that used up the stack.
  if (handled.IsEmpty() && is_stack_overflow(isolate, message) &&
      is_stack_overflow(isolate, caught.Message()) && has_javascript_on_stack(isolate)) {
    caught.ReThrow();
    return;
  }
  const bool is_fatal = !handled.ToLocal(&answer) || !answer->IsTrue();
  if (is_fatal && realm.options_.trace != nullptr) note_uncaught(realm, message);
  if (answer.IsEmpty()) {
    if (!realm.is_worker()) report_exception(isolate, caught.Exception(), caught.Message());
    realm.exit(kExceptionInHandler);
    write_flight(realm);
    return;
  }
  if (!is_fatal) return;
  // An error of a worker is reported to its creator instead.
  if (!realm.is_worker()) report_exception(isolate, exception, message);
  // lib returns the exit code, which an 'exit' listener may have set.
  realm.exit(answer->IsInt32() ? answer.As<v8::Int32>()->Value() : 1);
  write_flight(realm);
}

}  // namespace rondo::runtime

// Declares the part of V8's inspector that Rondo calls: a session that takes messages of the
// DevTools protocol. V8's host program contains the inspector, but its package has no header for
// it. The classes below have the layout of V8 14.6: the same virtual functions in the same order;
// functions that are never called have no signature. tests/golden fails if the layout is wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "runtime/values/v8.h"

#if V8_MAJOR_VERSION == 14 && V8_MINOR_VERSION == 6
#define RONDO_HAS_INSPECTOR 1
#else
#define RONDO_HAS_INSPECTOR 0
#endif

// NOLINTBEGIN(readability-identifier-naming): V8's names.
namespace v8_inspector {

struct StringView {
  bool is_8_bit = true;
  size_t length = 0;
  const void* characters = nullptr;
};

class StringBuffer {
 public:
  virtual ~StringBuffer() = default;
  virtual StringView string() const = 0;
};

struct V8ContextInfo {
  v8::Local<v8::Context> context;
  int group = 1;
  StringView name;
  StringView origin;
  StringView aux_data;
  bool has_memory_on_console = false;
};

class V8InspectorSession {
 public:
  virtual ~V8InspectorSession() = default;
  virtual void unused_add_inspected_object() = 0;
  virtual void dispatchProtocolMessage(StringView message) = 0;
};

// Receives the answers to messages, before dispatchProtocolMessage() returns.
class Channel {
 public:
  virtual ~Channel() = default;
  virtual void sendResponse(int call, std::unique_ptr<StringBuffer> message) = 0;
  virtual void sendNotification(std::unique_ptr<StringBuffer> message) = 0;
  virtual void flushProtocolNotifications() = 0;
};

class V8InspectorClient;

class V8Inspector {
 public:
  enum ClientTrustLevel { kUntrusted, kFullyTrusted };
  enum SessionPauseState { kWaitingForDebugger, kNotWaitingForDebugger };

  static std::unique_ptr<V8Inspector> create(v8::Isolate* isolate, V8InspectorClient* client);
  virtual ~V8Inspector() = default;
  virtual void contextCreated(const V8ContextInfo& info) = 0;
  virtual void contextDestroyed(v8::Local<v8::Context> context) = 0;
  virtual void unused_reset_context_group() = 0;
  virtual void unused_context_by_id() = 0;
  virtual void unused_unique_debugger_id() = 0;
  virtual void unused_isolate_id() = 0;
  virtual void unused_idle_started() = 0;
  virtual void unused_idle_finished() = 0;
  virtual void unused_async_task_scheduled() = 0;
  virtual void unused_async_task_canceled() = 0;
  virtual void unused_async_task_started() = 0;
  virtual void unused_async_task_finished() = 0;
  virtual void unused_all_async_tasks_canceled() = 0;
  virtual void unused_store_current_stack_trace() = 0;
  virtual void unused_external_async_task_started() = 0;
  virtual void unused_external_async_task_finished() = 0;
  virtual void unused_exception_thrown() = 0;
  virtual void unused_exception_revoked() = 0;
  virtual void unused_associate_exception_data() = 0;
  virtual std::unique_ptr<V8InspectorSession> connect(int group, Channel* channel, StringView state,
                                                      ClientTrustLevel trust,
                                                      SessionPauseState pause) = 0;
};

}  // namespace v8_inspector
// NOLINTEND(readability-identifier-naming)

namespace rondo::runtime {

// The embedder's side of the inspector. V8 uses it as its own class V8InspectorClient, so it has
// the same virtual functions in the same order; none does anything.
class SilentInspectorClient {
 public:
  using Buffer = std::unique_ptr<v8_inspector::StringBuffer>;
  using View = v8_inspector::StringView;

  SilentInspectorClient() = default;
  virtual ~SilentInspectorClient() = default;
  SilentInspectorClient(const SilentInspectorClient&) = delete;
  SilentInspectorClient& operator=(const SilentInspectorClient&) = delete;

  v8_inspector::V8InspectorClient* as_client() {
    return reinterpret_cast<v8_inspector::V8InspectorClient*>(this);
  }

 private:
  virtual void run_message_loop_on_pause(int) {}
  virtual void run_message_loop_on_instrumentation_pause(int) {}
  virtual void quit_message_loop_on_pause() {}
  virtual void run_if_waiting_for_debugger(int) {}
  virtual void mute_metrics(int) {}
  virtual void unmute_metrics(int) {}
  virtual void begin_user_gesture() {}
  virtual void end_user_gesture() {}
  virtual Buffer deep_serialize(v8::Local<v8::Value>, int, v8::Local<v8::Object>) { return {}; }
  virtual Buffer value_subtype(v8::Local<v8::Value>) { return {}; }
  virtual Buffer description_for_subtype(v8::Local<v8::Context>, v8::Local<v8::Value>) {
    return {};
  }
  virtual bool is_inspectable_heap_object(v8::Local<v8::Object>) { return true; }
  virtual v8::Local<v8::Context> ensure_default_context_in_group(int) { return {}; }
  virtual void begin_ensure_all_contexts_in_group(int) {}
  virtual void end_ensure_all_contexts_in_group(int) {}
  virtual void install_command_line_api(v8::Local<v8::Context>, v8::Local<v8::Object>) {}
  virtual void console_api_message(int, v8::Isolate::MessageErrorLevel, const View&, const View&,
                                   unsigned, unsigned, void*) {}
  virtual void console_api_message_of_context(int, int, v8::Isolate::MessageErrorLevel, const View&,
                                              const View&, unsigned, unsigned, void*) {}
  virtual v8::MaybeLocal<v8::Value> memory_info(v8::Isolate*, v8::Local<v8::Context>) { return {}; }
  virtual void console_time(v8::Isolate*, v8::Local<v8::String>) {}
  virtual void console_time_end(v8::Isolate*, v8::Local<v8::String>) {}
  virtual void console_time_stamp(v8::Isolate*, v8::Local<v8::String>) {}
  virtual void console_time_stamp_with_args(v8::Isolate*, v8::Local<v8::String>, const void*) {}
  virtual void console_clear(int) {}
  virtual double current_time_ms() { return 0; }
  virtual void start_repeating_timer(double, void (*)(void*), void*) {}
  virtual void cancel_timer(void*) {}
  virtual bool can_execute_scripts(int) { return true; }
  virtual void max_async_call_stack_depth_changed(int) {}
  virtual Buffer resource_name_to_url(const View&) { return {}; }
  virtual int64_t generate_unique_id() { return 0; }
  virtual void dispatch_error(v8::Local<v8::Context>, v8::Local<v8::Message>,
                              v8::Local<v8::Value>) {}
};

}  // namespace rondo::runtime

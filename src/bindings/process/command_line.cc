// internalBinding('command_line'): for our own programs that start others with options of rondo.
#include "runtime/engine/commons.h"
#include "runtime/engine/realm.h"
#include "runtime/values/binding.h"
#include "runtime/values/values.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;

// takesNextArgument(option) => whether the argument after it is its value
void takes_next_argument(const Arguments& info) {
  RONDO_EXPECT(info, info[0]->IsString());
  v8::Isolate* const isolate = info.GetIsolate();
  const runtime::Commons* const commons = runtime::Realm::of(isolate).commons();
  if (commons == nullptr || commons->takes_next_argument == nullptr) return;
  const v8::String::Utf8Value argument(isolate, info[0]);
  info.GetReturnValue().Set(
      commons->takes_next_argument({*argument, static_cast<size_t>(argument.length())}));
}

constexpr runtime::Method kMethods[] = {{"takesNextArgument", takes_next_argument}};

}  // namespace

extern const runtime::Binding command_line;
const runtime::Binding command_line{"command_line", kMethods, nullptr};

}  // namespace rondo::bindings

#include "runtime/control/report.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>

#include "base/sys.h"
#include "runtime/engine/realm.h"
#include "runtime/values/values.h"

namespace rondo::runtime {

namespace {

// Longer lines, as in minified code, are shown as an excerpt around the error. All lengths are in
// UTF-16 units, as V8 counts columns.
constexpr int kLongestLine = 300;
constexpr int kExcerptBefore = 60;
constexpr int kExcerptAfter = 80;
constexpr std::string_view kCut = "...";

// Writes directly to the descriptor: JavaScript may be unable to run.
void print(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<size_t>(written));
  }
}

// Formats with lib, including an error's own properties and cause. Empty if lib fails.
std::string render(v8::Isolate* isolate, v8::Local<v8::Value> exception) {
  if (!Realm::exists(isolate) || !Realm::of(isolate).has_hooks()) return {};
  Realm& realm = Realm::of(isolate);
  const v8::TryCatch ignored(isolate);
  v8::Local<v8::Value> arguments[] = {exception};
  v8::Local<v8::Value> text;
  if (!realm.hook(Hook::format_exception)
           ->Call(realm.context(), v8::Undefined(isolate), 1, arguments)
           .ToLocal(&text) ||
      !text->IsString()) {
    return {};
  }
  return to_std(isolate, text);
}

std::string plain(v8::Isolate* isolate, v8::Local<v8::Value> exception) {
  const v8::TryCatch ignored(isolate);
  if (exception->IsObject()) {
    v8::Local<v8::Value> stack;
    if (exception.As<v8::Object>()
            ->Get(isolate->GetCurrentContext(), literal(isolate, "stack"))
            .ToLocal(&stack) &&
        stack->IsString()) {
      return to_std(isolate, stack);
    }
  }
  return to_std(isolate, exception);
}

// The range of columns that an error marks.
struct Columns {
  int start;
  int end;
};

bool is_second_of_pair(uint16_t unit) { return (unit & 0xFC00) == 0xDC00; }

// The line, or the part of a long line around the columns, and a second line that marks the
// columns.
std::string excerpt(v8::Isolate* isolate, v8::Local<v8::String> line, Columns marked) {
  const v8::String::Value units(isolate, line);
  int begin = 0;
  const auto whole = static_cast<int>(units.length());
  int end = whole;
  if (end > kLongestLine) {
    begin = std::clamp(marked.start - kExcerptBefore, 0, end);
    end = std::min(end, std::max(marked.start, begin) + kExcerptAfter);
    if (begin > 0 && begin < end && is_second_of_pair((*units)[begin])) --begin;
    if (end < whole && is_second_of_pair((*units)[end])) --end;
  }
  v8::Local<v8::String> part;
  if (!v8::String::NewFromTwoByte(isolate, *units + begin, v8::NewStringType::kNormal, end - begin)
           .ToLocal(&part)) {
    return {};
  }
  std::string text;
  std::string marks;
  if (begin > 0) {
    text = kCut;
    marks.assign(kCut.size(), ' ');
  }
  text += to_std(isolate, part);
  if (end < whole) text += kCut;
  for (int column = begin; column < marked.start && column < end; ++column) {
    marks += (*units)[column] == '\t' ? '\t' : ' ';
  }
  // Marks end with the excerpt; there is at least one, even beyond the end of the line.
  const int marked_end = std::max(
      marked.start + 1, units.length() > kLongestLine ? std::min(marked.end, end) : marked.end);
  marks.append(static_cast<size_t>(marked_end - marked.start), '^');
  return text + "\n" + marks + "\n";
}

// False with --no-extra-info-on-fatal-exception.
bool wants_version(v8::Isolate* isolate) {
  if (!Realm::exists(isolate)) return true;
  const auto& flags = Realm::of(isolate).options().flags;
  return std::none_of(flags.begin(), flags.end(), [](const auto& flag) {
    return flag.first == "no-extra-info-on-fatal-exception";
  });
}

bool is_syntax_error(v8::Isolate* isolate, v8::Local<v8::Value> exception) {
  if (!exception->IsNativeError()) return false;
  return to_std(isolate, exception.As<v8::Object>()->GetConstructorName()) == "SyntaxError";
}

v8::Local<v8::Private> line_key(v8::Isolate* isolate) {
  return v8::Private::ForApi(isolate, literal(isolate, "rondo:sourceLine"));
}

std::string kept_line(v8::Isolate* isolate, v8::Local<v8::Value> exception) {
  v8::Local<v8::Value> line;
  if (!exception->IsNativeError() ||
      !exception.As<v8::Object>()
           ->GetPrivate(isolate->GetCurrentContext(), line_key(isolate))
           .ToLocal(&line) ||
      !line->IsString()) {
    return {};
  }
  return to_std(isolate, line);
}

}  // namespace

std::string source_line(v8::Isolate* isolate, v8::Local<v8::Message> message) {
  if (message.IsEmpty()) return {};
  const v8::Local<v8::Context> context = isolate->GetCurrentContext();
  const v8::Local<v8::Value> resource = message->GetScriptOrigin().ResourceName();
  v8::Local<v8::String> line;
  if (!resource->IsString() || !message->GetSourceLine(context).ToLocal(&line)) return {};
  const std::string name = to_std(isolate, resource);
  // Source lines of lib do not help the user.
  if (name.starts_with("node:")) return {};
  if (to_std(isolate, line).find_first_not_of(" \t\r\n") == std::string::npos) return {};
  int start = message->GetStartColumn(context).FromMaybe(0);
  int end = message->GetEndColumn(context).FromMaybe(start + 1);
  const int number = message->GetLineNumber(context).FromMaybe(0);
  const v8::ScriptOrigin origin = message->GetScriptOrigin();
  // V8 counts the column offset of a script, which is not in its text, on the first line.
  if (number - origin.LineOffset() == 1 && start >= origin.ColumnOffset()) {
    start -= origin.ColumnOffset();
    end -= origin.ColumnOffset();
  }
  const std::string place = name + ":" + std::to_string(number);
  if (line->Length() <= kLongestLine) return place + "\n" + excerpt(isolate, line, {start, end});
  return place + ":" + std::to_string(start + 1) + "\n" + excerpt(isolate, line, {start, end});
}

void keep_source_line(v8::Isolate* isolate, v8::Local<v8::Value> exception) {
  if (!exception->IsNativeError()) return;
  const std::string line = source_line(isolate, v8::Exception::CreateMessage(isolate, exception));
  v8::Local<v8::String> text;
  if (line.empty() || !to_js(isolate, line).ToLocal(&text)) return;
  [[maybe_unused]] const v8::Maybe<bool> done =
      exception.As<v8::Object>()->SetPrivate(isolate->GetCurrentContext(), line_key(isolate), text);
}

void put_source_line_before_stack(v8::Isolate* isolate, const v8::TryCatch& caught,
                                  std::string_view gap) {
  if (!caught.HasCaught() || caught.HasTerminated()) return;
  if (!caught.Exception()->IsObject() || caught.Message().IsEmpty()) return;
  const v8::Local<v8::Context> context = isolate->GetCurrentContext();
  const v8::Local<v8::Object> error = caught.Exception().As<v8::Object>();
  const v8::Local<v8::Private> mark =
      v8::Private::ForApi(isolate, literal(isolate, "rondo:hasSourceLine"));
  const v8::TryCatch ignored(isolate);
  const v8::Local<v8::String> name = literal(isolate, "stack");
  std::string line = source_line(isolate, caught.Message());
  v8::Local<v8::Value> stack;
  v8::Local<v8::String> front;
  if (line.empty() || error->HasPrivate(context, mark).FromMaybe(true)) return;
  if (!error->Get(context, name).ToLocal(&stack) || !stack->IsString()) return;
  line += gap;
  if (!to_js(isolate, line).ToLocal(&front)) return;
  [[maybe_unused]] const bool is_done =
      error->Set(context, name, v8::String::Concat(isolate, front, stack.As<v8::String>()))
          .FromMaybe(false) &&
      error->SetPrivate(context, mark, v8::True(isolate)).FromMaybe(false);
}

void report_exception(v8::Isolate* isolate, v8::Local<v8::Value> exception,
                      v8::Local<v8::Message> message) {
  const v8::HandleScope handles(isolate);
  std::string text = source_line(isolate, message);
  // lib rethrows the compiler's error of a module, so the message has no place: the error itself
  // has it.
  if (text.empty() && is_syntax_error(isolate, exception)) {
    text = source_line(isolate, v8::Exception::CreateMessage(isolate, exception));
  }
  if (text.empty()) text = kept_line(isolate, exception);
  // lib may already have added the line, for errors that it threw on behalf of the user.
  std::string rendered = render(isolate, exception);
  if (rendered.empty()) rendered = plain(isolate, exception);
  // Formatting calls Error.prepareStackTrace and getters of the program, which may exit the
  // process.
  if (Realm::exists(isolate) && Realm::of(isolate).is_exiting()) {
    if (!Realm::of(isolate).is_in_javascript()) isolate->CancelTerminateExecution();
    return;
  }
  if (rendered.starts_with(text)) text.clear();
  if (exception->IsNativeError()) {
    if (!text.empty()) text += "\n";
    text += rendered + "\n";
  } else {
    // Without a source line, this header is the only sign of an exception.
    if (text.empty()) text = "Uncaught:\n";
    text += rendered + "\n";
  }
  if (wants_version(isolate)) text += "\nRondo v" RONDO_VERSION "\n";
  print(text);
}

void report_dropped_exception(v8::Isolate* isolate, const char* title,
                              v8::Local<v8::Message> message) {
  const v8::HandleScope handles(isolate);
  std::string text = std::string(title) + ":\n" + source_line(isolate, message);
  if (!message.IsEmpty()) {
    constexpr std::string_view kUncaught = "Uncaught ";
    std::string reason = to_std(isolate, message->Get());
    if (reason.starts_with(kUncaught)) reason.erase(0, kUncaught.size());
    text += "\n" + reason + "\n";
  }
  print(text + "\n");
}

}  // namespace rondo::runtime

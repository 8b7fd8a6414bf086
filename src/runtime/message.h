// A Message is a value of one isolate as V8's serializer writes it, with what moves along: memory,
// ports, WebAssembly modules. It is read in the isolate, and on the thread, where it arrives.
#pragma once

#include <array>
#include <cstdlib>
#include <memory>
#include <vector>

#include "base/fd.h"
#include "base/port.h"
#include "runtime/realm.h"
#include "runtime/v8.h"

namespace rondo::runtime {

// The functions of lib that take part; lib hands them over before the first message.
enum class MessageHook : uint8_t {
  make_error,    // (text) => DataCloneError
  missing_port,  // () => the error for a port that is in the message and not in the list
  write_object,  // (object) => [id, data] of an object of ours
  move_object,   // (object) => [[id, data], [port...] or undefined, descriptor or undefined]
  read_object,   // (id, data, descriptor or undefined) => such an object
  is_special,    // (object) => whether write_object is to be asked
  prepare_port,  // (port): a port has come into being
  emit_message,  // this = port: (data, ports, type)
  emit_close,    // this = port
  count,
};

class MessageHooks {
 public:
  explicit MessageHooks(Realm& realm) : realm_(realm) {}
  void set(MessageHook hook, v8::Local<v8::Function> function) {
    hooks_[static_cast<size_t>(hook)].Reset(realm_.isolate(), function);
  }
  v8::Local<v8::Function> get(MessageHook hook) const {
    return hooks_[static_cast<size_t>(hook)].Get(realm_.isolate());
  }
  bool are_set() const { return !hooks_.back().IsEmpty(); }
  // Objects that inherit from it may be special: what they are is not in their properties.
  void add_special_prototype(v8::Local<v8::Object> prototype) {
    special_.emplace_back(realm_.isolate(), prototype);
  }
  bool may_be_special(v8::Local<v8::Object> object) const;
  // Marks of single objects, which JavaScript cannot see. What is movable is asked about as objects
  // of ours are, wherever its properties would be copied otherwise.
  enum class Mark : uint8_t { uncloneable, movable };
  void mark(v8::Local<v8::Object> object, Mark mark);
  bool is_marked(v8::Local<v8::Object> object, Mark mark) const;

 private:
  Realm& realm_;
  std::array<v8::Global<v8::Function>, static_cast<size_t>(MessageHook::count)> hooks_;
  std::vector<v8::Global<v8::Object>> special_;
  v8::Local<v8::Private> name_of(Mark mark) const;
  bool has_marks_ = false;  // Saves looking for marks in programs that never set one.
};

// What a postMessage() gives away.
struct TransferList {
  std::vector<v8::Local<v8::ArrayBuffer>> buffers;
  std::vector<v8::Local<v8::Object>> ports;    // Of MessagePort, all open.
  std::vector<v8::Local<v8::Object>> objects;  // Of ours, which lib takes apart.
};

class Message final : public Parcel {
 public:
  // Null if something in it cannot be written: an exception is pending then, and nothing has moved.
  static std::shared_ptr<Message> write(Realm& realm, v8::Local<v8::Value> value,
                                        const TransferList& transfer);

  // Once; a message without a transfer list, any number of times. `ports`, if asked for, gets an
  // array of all ports that came along. Empty with an exception pending if it cannot be read here.
  v8::MaybeLocal<v8::Value> read(Realm& realm, v8::Local<v8::Value>* ports = nullptr);

  const std::vector<std::shared_ptr<Port>>& ports() const { return ports_; }

 private:
  using Objects = std::vector<v8::Local<v8::Object>>;
  using Parts = std::vector<std::shared_ptr<Message>>;
  static bool read_objects(Realm& realm, const Parts& parts, Objects* objects);
  bool move_object(Realm& realm, v8::Local<v8::Object> object);

  class Writer;
  class Reader;
  struct Free {
    void operator()(uint8_t* data) const noexcept { std::free(data); }
  };
  using Memory = std::vector<std::shared_ptr<v8::BackingStore>>;

  std::unique_ptr<uint8_t, Free> bytes_;
  size_t size_ = 0;
  Memory shared_;
  Memory moved_;
  std::vector<v8::CompiledWasmModule> modules_;
  std::vector<std::shared_ptr<Port>> ports_;
  // [id, data] of each object that lib writes. Apart, because no JavaScript may run while V8 reads.
  Parts objects_;
  Parts moved_objects_;  // Of those that were in the list, in its order.
  Fd descriptor_;        // Of a moved object: closed if the message never arrives.
};

}  // namespace rondo::runtime

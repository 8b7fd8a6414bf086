// A Message is a value of one isolate in V8's serialized form, with its transferred objects:
// memory, ports, WebAssembly modules. It is read on the thread, and in the isolate, that receives
// it.
#pragma once

#include <array>
#include <cstdlib>
#include <memory>
#include <vector>

#include "base/fd.h"
#include "base/threads/port.h"
#include "runtime/engine/realm.h"
#include "runtime/values/v8.h"

namespace rondo::runtime {

// Functions of lib for messages; lib passes them before the first message.
enum class MessageHook : uint8_t {
  make_error,    // (text) => DataCloneError
  missing_port,  // () => the error for a port that is not in the transfer list
  write_object,  // (object) => [id, data] of an object of lib
  move_object,   // (object) => [[id, data], [port...] or undefined, descriptor or undefined]
  read_object,   // (id, data, descriptor or undefined) => such an object
  is_special,    // (object) => true if write_object must be called
  prepare_port,  // (port): a port was created
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
  // Registers a prototype whose objects may be special: their state is not in their properties.
  void add_special_prototype(v8::Local<v8::Object> prototype) {
    special_.emplace_back(realm_.isolate(), prototype);
  }
  bool may_be_special(v8::Local<v8::Object> object) const;
  // Marks of single objects, invisible to JavaScript. For a movable object lib is called, as for
  // objects of lib, wherever its properties would be copied otherwise.
  enum class Mark : uint8_t { uncloneable, movable };
  void mark(v8::Local<v8::Object> object, Mark mark);
  bool is_marked(v8::Local<v8::Object> object, Mark mark) const;

 private:
  Realm& realm_;
  std::array<v8::Global<v8::Function>, static_cast<size_t>(MessageHook::count)> hooks_;
  std::vector<v8::Global<v8::Object>> special_;
  v8::Local<v8::Private> name_of(Mark mark) const;
  bool has_marks_ = false;  // Skips the look-up in programs that never set a mark.
};

// The transfer list of postMessage().
struct TransferList {
  std::vector<v8::Local<v8::ArrayBuffer>> buffers;
  std::vector<v8::Local<v8::Object>> ports;    // MessagePorts, all open.
  std::vector<v8::Local<v8::Object>> objects;  // Objects of lib, which serializes them.
};

class Message final : public Parcel {
 public:
  // Returns null if the value cannot be cloned: then an exception is pending, and nothing was
  // transferred.
  static std::shared_ptr<Message> write(Realm& realm, v8::Local<v8::Value> value,
                                        const TransferList& transfer);

  // Reads the value: once, or any number of times if there was no transfer list. `ports`, if given,
  // is set to an array of all received ports. Empty, with an exception pending, if the message
  // cannot be read in this realm.
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
  // [id, data] of each object that lib has written. Stored separately, because no JavaScript may
  // run while V8 reads.
  Parts objects_;
  Parts moved_objects_;  // The objects in the transfer list, in its order.
  Fd descriptor_;        // Of a transferred object: closed if the message is never read.
};

}  // namespace rondo::runtime

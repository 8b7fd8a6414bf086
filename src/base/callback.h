// Callback<R(Args...)>: a move-only function object that never allocates. It stores 24 bytes of
// captures inline; a bigger capture does not compile, so there is no hidden cost.
#pragma once

#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include "base/assert.h"

namespace rondo {

template <class Signature>
class Callback;

template <class R, class... Args>
class Callback<R(Args...)> {
 public:
  static constexpr size_t kCapacity = 24;

  Callback() = default;
  Callback(std::nullptr_t) {}  // NOLINT: implicit, as std::function's
  template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, Callback> &&
             std::is_invocable_r_v<R, std::decay_t<F>&, Args...>)
  Callback(F&& function) {             // NOLINT: implicit, so that a lambda is a callback
    using Function = std::decay_t<F>;  // A plain function becomes a pointer to it.
    static_assert(sizeof(Function) <= kCapacity,
                  "the capture is too big for a Callback: capture a pointer to your state instead");
    static_assert(alignof(Function) <= alignof(void*), "over-aligned captures do not fit");
    static_assert(std::is_nothrow_move_constructible_v<Function>, "captures must move quietly");
    new (storage_) Function(std::forward<F>(function));
    ops_ = &kOps<Function>;
  }
  Callback(Callback&& other) noexcept { take(other); }
  Callback& operator=(Callback&& other) noexcept {
    if (this != &other) {
      reset();
      take(other);
    }
    return *this;
  }
  ~Callback() { reset(); }

  // Copies `other` here if copying its bytes is enough; returns whether it did. Lets the fast path
  // of a caller end in a tail call.
  bool copy_if_plain(const Callback& other) {
    if (ops_ != nullptr && ops_->destroy != nullptr) [[unlikely]]
      return false;
    if (other.ops_ == nullptr || other.ops_->relocate != nullptr) [[unlikely]]
      return false;
    ops_ = other.ops_;
    copy_captures(other.storage_, storage_, ops_->fits_a_word);
    return true;
  }

  explicit operator bool() const { return ops_ != nullptr; }
  void reset() {
    if (ops_ == nullptr) return;
    const Ops* ops = std::exchange(ops_, nullptr);
    if (ops->destroy != nullptr) ops->destroy(storage_);
  }
  R operator()(Args... args) {
    RONDO_DEBUG_ASSERT(ops_ != nullptr);
    return ops_->invoke(storage_, std::forward<Args>(args)...);
  }

  // Calls through a local copy, so that the function may assign or reset this callback, or free its
  // owner, while it runs. If the function did none of these, it is put back afterwards. A function
  // that is trivially copyable and callable as const has no state that a call could change: a copy
  // is enough, and nothing is put back.
  R call_replaceable(Args... args) requires std::is_void_v<R> {
    RONDO_DEBUG_ASSERT(ops_ != nullptr);
    if (ops_->is_stateless) {
      alignas(void*) unsigned char copy[kCapacity];
      copy_captures(storage_, copy, ops_->fits_a_word);
      ops_->invoke(copy, std::forward<Args>(args)...);
      return;
    }
    Callback running = std::move(*this);
    bool is_gone = false;
    bool* const gone = &is_gone;
    std::memcpy(storage_, &gone, sizeof(gone));
    ops_ = &kBusyOps;
    running(std::forward<Args>(args)...);
    if (is_gone) return;
    ops_ = nullptr;
    take(running);
  }

 private:
  struct Ops {
    R (*invoke)(void* self, Args&&... args);
    // Both are null if copying the bytes moves the function and nothing needs to be destroyed.
    void (*relocate)(void* from, void* to);
    void (*destroy)(void* self);
    bool is_stateless;
    bool fits_a_word;
  };
  static constexpr size_t kWord = sizeof(void*);
  template <class F>
  static consteval bool is_plain() {
    return std::is_trivially_copyable_v<F> && std::is_trivially_destructible_v<F>;
  }
  template <class F>
  static void relocate_as(void* from, void* to) {
    new (to) F(std::move(*static_cast<F*>(from)));
    static_cast<F*>(from)->~F();
  }
  template <class F>
  static void destroy_as(void* self) {
    static_cast<F*>(self)->~F();
  }
  template <class F>
  static constexpr Ops kOps{
      [](void* self, Args&&... args) -> R {
        return static_cast<R>((*static_cast<F*>(self))(std::forward<Args>(args)...));
      },
      is_plain<F>() ? nullptr : &relocate_as<F>,
      std::is_trivially_destructible_v<F> ? nullptr : &destroy_as<F>,
      is_plain<F>() && std::is_invocable_v<const F&, Args...>, sizeof(F) <= kWord};

  // Marks a function as running: call_replaceable() detects by it that the function was replaced.
  static constexpr Ops kBusyOps{
      [](void*, Args&&...) -> R { fatal("a callback was called from inside itself"); },
      [](void*, void*) { fatal("a callback was moved while it was running"); },
      [](void* self) {
        bool* gone = nullptr;
        std::memcpy(&gone, self, sizeof(gone));
        *gone = true;
      },
      false, true};

  // Most captures are one pointer. Copying it as one word avoids a store-forwarding stall: captures
  // are moved soon after they were written, and a load wider than the store must wait. This saves a
  // tenth of the cost of a pool job.
  static void copy_captures(const unsigned char* from, unsigned char* to, bool fits_a_word) {
    std::memcpy(to, from, kWord);
    if (!fits_a_word) std::memcpy(to + kWord, from + kWord, kCapacity - kWord);
  }

  void take(Callback& other) {
    ops_ = std::exchange(other.ops_, nullptr);
    if (ops_ == nullptr) return;
    if (ops_->relocate == nullptr) {
      copy_captures(other.storage_, storage_, ops_->fits_a_word);
    } else {
      ops_->relocate(other.storage_, storage_);
    }
  }

  const Ops* ops_ = nullptr;
  alignas(void*) unsigned char storage_[kCapacity] = {};
};

}  // namespace rondo

#include "bindings/crypto/keccak.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace rondo::bindings::crypto {

namespace {

constexpr size_t kLanes = 25;
constexpr int kRounds = 24;
constexpr int kTurboRounds = 12;  // The last ones of Keccak's 24.

constexpr std::array<uint64_t, kRounds> kRoundConstants = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
    0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
    0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
    0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
    0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008};
// For the steps rho and pi: the lanes in the order in which they are moved, and their rotations.
constexpr std::array<int, kLanes - 1> kRotations = {1,  3,  6,  10, 15, 21, 28, 36, 45, 55, 2,  14,
                                                    27, 41, 56, 8,  25, 43, 62, 18, 39, 61, 20, 44};
constexpr std::array<size_t, kLanes - 1> kTargets = {10, 7,  11, 17, 18, 3, 5,  16, 8,  21, 24, 4,
                                                     15, 23, 19, 13, 12, 2, 20, 14, 22, 9,  6,  1};

using State = std::array<uint64_t, kLanes>;

void permute(State& lanes, int rounds) {
  for (int round = kRounds - rounds; round < kRounds; ++round) {
    std::array<uint64_t, 5> columns{};
    for (size_t x = 0; x < 5; ++x) {
      columns[x] = lanes[x] ^ lanes[x + 5] ^ lanes[x + 10] ^ lanes[x + 15] ^ lanes[x + 20];
    }
    for (size_t x = 0; x < 5; ++x) {
      const uint64_t mixed = columns[(x + 4) % 5] ^ std::rotl(columns[(x + 1) % 5], 1);
      for (size_t y = 0; y < kLanes; y += 5) lanes[x + y] ^= mixed;
    }
    uint64_t moved = lanes[1];
    for (size_t i = 0; i < kTargets.size(); ++i) {
      const uint64_t next = lanes[kTargets[i]];
      lanes[kTargets[i]] = std::rotl(moved, kRotations[i]);
      moved = next;
    }
    for (size_t y = 0; y < kLanes; y += 5) {
      std::array<uint64_t, 5> row{};
      for (size_t x = 0; x < 5; ++x) row[x] = lanes[y + x];
      for (size_t x = 0; x < 5; ++x) lanes[y + x] = row[x] ^ (~row[(x + 1) % 5] & row[(x + 2) % 5]);
    }
    lanes[0] ^= kRoundConstants[static_cast<size_t>(round)];
  }
}

class Sponge {
 public:
  Sponge(int strength, int rounds) : rate_(strength == 128 ? 168 : 136), rounds_(rounds) {}

  size_t rate() const { return rate_; }

  void absorb(ByteSpan bytes) {
    for (const uint8_t byte : bytes) absorb(byte);
  }
  void absorb(uint8_t byte) {
    mix(position_++, byte);
    if (position_ == rate_) advance();
  }
  // Fills the block with zeros.
  void pad_block() {
    if (position_ != 0) advance();
  }
  // `domain` is the separation suffix, with the first bit of the padding.
  void squeeze(uint8_t domain, std::span<uint8_t> out) {
    mix(position_, domain);
    mix(rate_ - 1, 0x80);
    advance();
    for (uint8_t& byte : out) {
      if (position_ == rate_) advance();
      byte = static_cast<uint8_t>(lanes_[position_ / 8] >> (position_ % 8 * 8));
      ++position_;
    }
  }

 private:
  void mix(size_t at, uint8_t byte) { lanes_[at / 8] ^= uint64_t{byte} << (at % 8 * 8); }
  void advance() {
    permute(lanes_, rounds_);
    position_ = 0;
  }

  State lanes_{};
  size_t rate_;
  int rounds_;
  size_t position_ = 0;
};

// The bytes of a number without leading zeros, highest first; none for zero.
std::vector<uint8_t> big_endian(uint64_t number) {
  std::vector<uint8_t> bytes;
  for (; number != 0; number >>= 8) bytes.insert(bytes.begin(), static_cast<uint8_t>(number));
  return bytes;
}

// left_encode() of SP 800-185: the number of bytes, then the bytes, at least one.
void absorb_number(Sponge& sponge, uint64_t number) {
  std::vector<uint8_t> bytes = big_endian(number);
  if (bytes.empty()) bytes.push_back(0);
  sponge.absorb(static_cast<uint8_t>(bytes.size()));
  sponge.absorb(bytes);
}

void absorb_text(Sponge& sponge, ByteSpan text) {
  absorb_number(sponge, uint64_t{text.size()} * 8);
  sponge.absorb(text);
}

// length_encode() of RFC 9861: the bytes, then their number.
std::vector<uint8_t> length_encode(uint64_t number) {
  std::vector<uint8_t> bytes = big_endian(number);
  bytes.push_back(static_cast<uint8_t>(bytes.size()));
  return bytes;
}

}  // namespace

void cshake(int strength, ByteSpan function_name, ByteSpan customization, ByteSpan data,
            std::span<uint8_t> out) {
  constexpr uint8_t kShake = 0x1f;
  constexpr uint8_t kCshake = 0x04;
  Sponge sponge(strength, kRounds);
  const bool is_plain = function_name.empty() && customization.empty();
  if (!is_plain) {
    absorb_number(sponge, sponge.rate());
    absorb_text(sponge, function_name);
    absorb_text(sponge, customization);
    sponge.pad_block();
  }
  sponge.absorb(data);
  sponge.squeeze(is_plain ? kShake : kCshake, out);
}

void turbo_shake(int strength, uint8_t domain, ByteSpan data, std::span<uint8_t> out) {
  Sponge sponge(strength, kTurboRounds);
  sponge.absorb(data);
  sponge.squeeze(domain, out);
}

void kangaroo_twelve(int strength, ByteSpan customization, ByteSpan data, std::span<uint8_t> out) {
  constexpr size_t kChunk = 8192;
  constexpr uint8_t kSingle = 0x07;
  constexpr uint8_t kLeaf = 0x0b;
  constexpr uint8_t kFinal = 0x06;
  std::vector<uint8_t> input(data.begin(), data.end());
  input.insert(input.end(), customization.begin(), customization.end());
  const std::vector<uint8_t> length = length_encode(customization.size());
  input.insert(input.end(), length.begin(), length.end());
  const ByteSpan all(input);
  if (all.size() <= kChunk) return turbo_shake(strength, kSingle, all, out);
  // A tree: the first chunk, and the hashes of the others.
  Sponge final_node(strength, kTurboRounds);
  final_node.absorb(all.first(kChunk));
  constexpr std::array<uint8_t, 8> kMark = {3, 0, 0, 0, 0, 0, 0, 0};
  final_node.absorb(kMark);
  std::vector<uint8_t> hash(static_cast<size_t>(strength) / 4);
  uint64_t leaves = 0;
  for (size_t at = kChunk; at < all.size(); at += kChunk, ++leaves) {
    turbo_shake(strength, kLeaf, all.subspan(at, std::min(kChunk, all.size() - at)), hash);
    final_node.absorb(hash);
  }
  final_node.absorb(length_encode(leaves));
  constexpr std::array<uint8_t, 2> kEnd = {0xff, 0xff};
  final_node.absorb(kEnd);
  final_node.squeeze(kFinal, out);
}

}  // namespace rondo::bindings::crypto

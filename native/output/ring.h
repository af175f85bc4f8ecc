// The last `capacity` bytes of a stream, addressed by absolute offset. Memory grows with what is kept, up to the
// capacity. Not thread-safe; its owner locks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace quiesce {

class Ring {
 public:
  explicit Ring(size_t capacity) : capacity_(capacity) {}

  void Append(std::span<const uint8_t> bytes);

  // Bytes that were ever appended.
  [[nodiscard]] uint64_t total() const { return total_; }
  // Absolute offset of the oldest byte that is kept.
  [[nodiscard]] uint64_t start() const { return total_ - kept(); }
  [[nodiscard]] size_t kept() const { return total_ < capacity_ ? static_cast<size_t>(total_) : capacity_; }
  [[nodiscard]] size_t capacity() const { return capacity_; }
  [[nodiscard]] size_t allocated() const { return memory_.capacity(); }

  // The bytes from absolute offset `from` (at least start(), at most total()) to the end, in at most two pieces.
  struct Pieces {
    std::span<const uint8_t> first;
    std::span<const uint8_t> second;
    [[nodiscard]] size_t size() const { return first.size() + second.size(); }
  };
  [[nodiscard]] Pieces From(uint64_t from) const;

  // Gives back memory that nothing is kept in.
  void Shrink() { memory_.shrink_to_fit(); }

 private:
  void Grow(size_t size);

  size_t capacity_;
  std::vector<uint8_t> memory_;  // byte at absolute offset n stands at n % capacity
  uint64_t total_ = 0;
};

}  // namespace quiesce

// What a terminal has said and nobody has taken yet. Bounded: when it is full nothing more is read, and the command
// waits. Not thread-safe; its owner locks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace quiesce {

class OutputQueue {
 public:
  explicit OutputQueue(size_t capacity) : capacity_(capacity) {}

  // How much more is to be read; 0 when it is full.
  [[nodiscard]] size_t room() const { return size() < capacity_ ? capacity_ - size() : 0; }
  [[nodiscard]] size_t size() const { return bytes_.size() - taken_; }
  [[nodiscard]] bool empty() const { return size() == 0; }

  // Takes all of it, over the capacity too: the last words of a command are wanted whole.
  void Append(std::span<const uint8_t> bytes) {
    if (taken_ > 0) {
      bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(taken_));
      taken_ = 0;
    }
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }

  // The first bytes, at most `most`; valid until the next call. They are gone from the queue.
  std::span<const uint8_t> Take(size_t most) {
    const std::span<const uint8_t> taken(bytes_.data() + taken_, std::min(most, size()));
    taken_ += taken.size();
    return taken;
  }

 private:
  const size_t capacity_;
  std::vector<uint8_t> bytes_;
  size_t taken_ = 0;  // bytes at the front that are gone
};

}  // namespace quiesce

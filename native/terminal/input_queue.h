// What is to be typed into a terminal, in the order of the calls, until the kernel has taken it. Bounded. Not
// thread-safe; its owner locks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>

namespace quiesce {

class InputQueue {
 public:
  explicit InputQueue(size_t capacity) : capacity_(capacity) {}

  // Whether a write of `size` bytes may be added: not where it would be more than is kept for a program that does not
  // read.
  [[nodiscard]] bool HasRoomFor(size_t size) const { return size <= capacity_ - bytes_; }

  void Add(std::string data) {
    bytes_ += data.size();
    writes_.push_back(std::move(data));
  }

  // Gives the rest of each write to `take(data, size)`, until that returns less than it was given.
  template <typename Take>
  void Pass(Take take) {
    while (!writes_.empty()) {
      const std::string& first = writes_.front();
      const size_t size = first.size() - sent_;
      const size_t count = size == 0 ? 0 : take(first.data() + sent_, size);
      sent_ += count;
      bytes_ -= count;
      if (count < size) return;
      writes_.pop_front();
      sent_ = 0;
      ++passed_;
    }
  }

  void Clear() {
    writes_.clear();
    bytes_ = sent_ = 0;
  }

  [[nodiscard]] bool empty() const { return writes_.empty(); }
  // How many writes have been passed on whole so far.
  [[nodiscard]] uint64_t passed() const { return passed_; }

 private:
  const size_t capacity_;
  std::deque<std::string> writes_;
  size_t bytes_ = 0;
  size_t sent_ = 0;  // of the first
  uint64_t passed_ = 0;
};

}  // namespace quiesce

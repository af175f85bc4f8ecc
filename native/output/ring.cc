#include "output/ring.h"

#include <algorithm>
#include <cstring>

namespace quiesce {

void Ring::Append(std::span<const uint8_t> bytes) {
  if (bytes.size() > capacity_) {
    total_ += bytes.size() - capacity_;
    bytes = bytes.last(capacity_);
  }
  while (!bytes.empty()) {
    const size_t at = static_cast<size_t>(total_ % capacity_);
    const size_t size = std::min(bytes.size(), capacity_ - at);
    Grow(at + size);
    std::memcpy(memory_.data() + at, bytes.data(), size);
    total_ += size;
    bytes = bytes.subspan(size);
  }
}

void Ring::Grow(size_t size) {
  if (size <= memory_.size()) return;
  if (size > memory_.capacity()) memory_.reserve(std::min(capacity_, std::max(size, memory_.capacity() * 2)));
  memory_.resize(size);
}

Ring::Pieces Ring::From(uint64_t from) const {
  const auto size = static_cast<size_t>(total_ - from);
  if (size == 0) return {};
  const size_t at = static_cast<size_t>(from % capacity_);
  const std::span<const uint8_t> memory(memory_);
  const size_t first = std::min(size, capacity_ - at);
  return {memory.subspan(at, first), memory.first(size - first)};
}

}  // namespace quiesce

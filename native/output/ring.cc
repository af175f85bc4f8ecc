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
    // Until the ring is full it is a plain array, whose growth vector does well. A first chunk longer than the capacity
    // may start past the end of what exists.
    if (memory_.size() < at + size) memory_.resize(at + size);
    std::memcpy(memory_.data() + at, bytes.data(), size);
    total_ += size;
    bytes = bytes.subspan(size);
  }
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

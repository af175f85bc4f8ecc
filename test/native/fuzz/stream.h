// The bytes of an endless stream in which no piece repeats soon, so that a misplaced one is seen.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace quiesce::fuzz {

// `size` bytes from `offset` on.
inline std::string StreamText(size_t offset, size_t size) {
  std::string text(size, '\0');
  for (size_t i = 0; i < size; ++i) text[i] = static_cast<char>(((offset + i) * 2654435761U >> 13) & 0xff);
  return text;
}

inline std::span<const uint8_t> BytesOf(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

}  // namespace quiesce::fuzz

// A list of strings in one allocation, with the null-terminated pointer array that execve wants. Input form: every
// string followed by one NUL byte. Movable; the pointers are made on demand, after the block has come to rest.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace quiesce {

class StringBlock {
 public:
  StringBlock() = default;
  explicit StringBlock(std::string bytes) : bytes_(std::move(bytes)) {}

  void Add(std::string_view text) {
    bytes_.append(text);
    bytes_.push_back('\0');
  }

  // Valid until the block is changed, moved or destroyed.
  [[nodiscard]] std::vector<char*> Pointers() {
    std::vector<char*> pointers;
    for (size_t at = 0; at < bytes_.size(); at = bytes_.find('\0', at) + 1) pointers.push_back(bytes_.data() + at);
    pointers.push_back(nullptr);
    return pointers;
  }

 private:
  std::string bytes_;
};

}  // namespace quiesce

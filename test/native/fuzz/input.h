// What fuzz targets take their decisions from, and how they report that a model and the code disagree. An input may end
// anywhere: what is missing reads as zero and nothing, so that every prefix of an input is an input.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

namespace quiesce::fuzz {

class Input {
 public:
  explicit Input(std::span<const uint8_t> bytes) : bytes_(bytes) {}
  explicit Input(std::string_view text) : bytes_(reinterpret_cast<const uint8_t*>(text.data()), text.size()) {}

  [[nodiscard]] bool empty() const { return bytes_.empty(); }

  uint8_t Byte() {
    if (bytes_.empty()) return 0;
    const uint8_t byte = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return byte;
  }

  // The text up to `end`, which is taken too; all that is left where there is none.
  std::string_view TextUntil(std::string_view end) {
    const std::string_view all = View(bytes_);
    const size_t size = std::min(all.find(end), all.size());
    bytes_ = bytes_.subspan(std::min(size + end.size(), all.size()));
    return all.substr(0, size);
  }

  std::string_view Rest() {
    const std::string_view all = View(bytes_);
    bytes_ = {};
    return all;
  }

 private:
  static std::string_view View(std::span<const uint8_t> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  std::span<const uint8_t> bytes_;
};

// Ends the run where the code does not do what the model says: the fuzzer keeps the input, a unit test fails.
inline void Require(bool holds, const char* what) {
  if (holds) return;
  (void)fprintf(stderr, "violated: %s\n", what);
  abort();
}

}  // namespace quiesce::fuzz

// The ring against the whole stream as a string: any capacity, any chunks, looked at from any offset.
#include "output/ring.h"

#include "fuzz/input.h"
#include "fuzz/stream.h"
#include "fuzz/targets.h"

namespace quiesce::fuzz {

namespace {

std::string Join(const Ring::Pieces& pieces) {
  std::string joined(pieces.first.begin(), pieces.first.end());
  joined.append(pieces.second.begin(), pieces.second.end());
  return joined;
}

void CheckAgainst(const std::string& all, const Ring& ring, size_t seed) {
  const size_t start = all.size() - std::min(all.size(), ring.capacity());
  Require(ring.total() == all.size(), "the total is what was appended");
  Require(ring.start() == start && ring.kept() == all.size() - start, "the last bytes are kept, as many as fit");
  Require(ring.allocated() <= ring.capacity(), "memory stays within the capacity");
  for (const size_t from : {start, all.size(), start + seed % (ring.kept() + 1)}) {
    Require(Join(ring.From(from)) == all.substr(from), "an offset gives the bytes from there to the end");
  }
}

}  // namespace

// Input: capacity (low, high), then operations of two bytes each: a chunk size in steps of 1, 4 or 61, or `s` to
// shrink.
void FuzzRing(std::span<const uint8_t> bytes) {
  Input input(bytes);
  const size_t capacity = size_t{1} + input.Byte() + size_t{input.Byte()} % 16 * 256;
  Ring ring(capacity);
  std::string all;
  while (!input.empty()) {
    const uint8_t operation = input.Byte();
    const size_t size = input.Byte();
    constexpr size_t kSteps[] = {1, 4, 61};
    if (operation == 's') {
      ring.Shrink();
    } else {
      const std::string chunk = StreamText(all.size(), size * kSteps[operation % 3]);
      ring.Append(BytesOf(chunk));
      all += chunk;
    }
    CheckAgainst(all, ring, size);
  }
}

}  // namespace quiesce::fuzz

#include "output/ring.h"

#include <doctest/doctest.h>

#include <random>
#include <string>

namespace quiesce {

namespace {

std::span<const uint8_t> Bytes(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

std::string Join(const Ring::Pieces& pieces) {
  std::string joined(pieces.first.begin(), pieces.first.end());
  joined.append(pieces.second.begin(), pieces.second.end());
  return joined;
}

}  // namespace

TEST_CASE("a ring keeps exactly the last bytes however the stream was chunked") {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    const size_t capacity = 1 + random() % 50;
    Ring ring(capacity);
    std::string all;
    for (int chunk = 0; chunk < 20; ++chunk) {
      std::string text;
      for (size_t size = random() % 120; size > 0; --size) text.push_back(static_cast<char>('a' + random() % 26));
      ring.Append(Bytes(text));
      all += text;
      REQUIRE(ring.total() == all.size());
      REQUIRE(ring.kept() == std::min(capacity, all.size()));
      REQUIRE(Join(ring.From(ring.start())) == all.substr(all.size() - ring.kept()));
      if (ring.kept() > 2) REQUIRE(Join(ring.From(ring.total() - 2)) == all.substr(all.size() - 2));
    }
  }
}

TEST_CASE("a ring of exactly its capacity has dropped nothing") {
  Ring ring(5);
  ring.Append(Bytes("12345"));
  CHECK(ring.start() == 0);
  CHECK(Join(ring.From(0)) == "12345");
  ring.Append(Bytes("6"));
  CHECK(ring.start() == 1);
  CHECK(Join(ring.From(1)) == "23456");
}

TEST_CASE("a ring takes no memory before the first byte and never more than its capacity") {
  Ring ring(1000);
  CHECK(ring.allocated() == 0);
  for (int i = 0; i < 5000; ++i) ring.Append(Bytes("x"));
  CHECK(ring.allocated() <= 1000);
}

}  // namespace quiesce

#include "output/collector.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include "os/file.h"

namespace quiesce {

namespace {

std::string TextOf(const OutputWindow& window) { return {window.bytes.begin(), window.bytes.end()}; }

struct CollectorFixture {
  explicit CollectorFixture(size_t max_bytes) : collector(max_bytes, 0, nullptr) {
    auto made = MakePipe();
    REQUIRE(made.ok());
    REQUIRE(SetNonBlocking(made.value().reader.get()).ok());
    collector.Attach(std::move(made.value().reader));
    writer = std::move(made.value().writer);
  }

  void Write(const std::string& text) {
    REQUIRE(write(writer.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()));
    collector.ReadTurn(scratch, Clock::now());
  }

  Collector collector;
  UniqueFd writer;
  std::array<uint8_t, 4096> scratch;
};

}  // namespace

TEST_CASE("a collector tells offsets in the whole stream whatever it still keeps") {
  CollectorFixture fixture(4);
  fixture.Write("abc");
  CHECK(TextOf(fixture.collector.ReadFrom(1)) == "bc");
  fixture.Write("defg");
  const OutputWindow window = fixture.collector.ReadFrom(0);
  CHECK(TextOf(window) == "defg");
  CHECK(window.start == 3);
  CHECK(window.window_start == 3);
  CHECK(fixture.collector.total() == 7);
}

TEST_CASE("reading past the end gives nothing and the end's offset") {
  CollectorFixture fixture(10);
  fixture.Write("abc");
  const OutputWindow window = fixture.collector.ReadFrom(99);
  CHECK(window.bytes.empty());
  CHECK(window.start == 3);
}

TEST_CASE("a collector sees the end only when every writer is gone") {
  CollectorFixture fixture(10);
  UniqueFd second(fcntl(fixture.writer.get(), F_DUPFD_CLOEXEC, 0));
  fixture.Write("x");
  fixture.writer.Reset();
  fixture.collector.ReadTurn(fixture.scratch, Clock::now());
  CHECK_FALSE(fixture.collector.at_end());
  second.Reset();
  fixture.collector.ReadTurn(fixture.scratch, Clock::now());
  CHECK(fixture.collector.at_end());
  CHECK_FALSE(fixture.collector.ended());
  fixture.collector.End();
  CHECK(fixture.collector.ReadFrom(0).ended);
}

}  // namespace quiesce

// The parts of a terminal that need no terminal.
#include <doctest/doctest.h>

#include <string>

#include "terminal/hang_up.h"
#include "terminal/input_queue.h"
#include "terminal/line_limit.h"
#include "terminal/output_queue.h"

namespace quiesce {

namespace {

std::span<const uint8_t> Bytes(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

std::string Text(std::span<const uint8_t> bytes) { return {bytes.begin(), bytes.end()}; }

termios LineMode() {
  termios modes{};
  modes.c_lflag = ICANON | ISIG;
  modes.c_iflag = ICRNL;
  modes.c_cc[VEOF] = 4;
  modes.c_cc[VINTR] = 3;
  return modes;
}

}  // namespace

TEST_CASE("an output queue gives bytes in their order, and its room grows as they are taken") {
  OutputQueue queue(8);
  queue.Append(Bytes("abcdef"));
  CHECK(queue.room() == 2);
  CHECK(Text(queue.Take(4)) == "abcd");
  CHECK(queue.room() == 6);
  queue.Append(Bytes("gh"));
  CHECK(Text(queue.Take(100)) == "efgh");
  CHECK(queue.empty());
  CHECK(Text(queue.Take(1)).empty());
}

TEST_CASE("an output queue takes what is over its capacity, and has no room then") {
  OutputQueue queue(2);
  queue.Append(Bytes("abc"));
  CHECK(queue.room() == 0);
  CHECK(Text(queue.Take(3)) == "abc");
}

TEST_CASE("an input queue passes writes on in pieces and counts those that are through") {
  InputQueue queue(100);
  queue.Add("abc");
  queue.Add("");
  queue.Add("de");
  std::string taken;
  const auto take = [&](size_t most) {
    return [&taken, most](const char* data, size_t size) {
      const size_t count = std::min(most - std::min(most, taken.size()), size);
      taken.append(data, count);
      return count;
    };
  };
  queue.Pass(take(2));
  CHECK(taken == "ab");
  CHECK(queue.passed() == 0);
  queue.Pass(take(4));
  CHECK(taken == "abcd");
  CHECK(queue.passed() == 2);
  queue.Pass(take(100));
  CHECK(taken == "abcde");
  CHECK(queue.passed() == 3);
  CHECK(queue.empty());
}

TEST_CASE("an input queue has room up to its capacity, and again for what has been passed on or dropped") {
  InputQueue queue(4);
  CHECK_FALSE(queue.HasRoomFor(5));
  queue.Add("abc");
  CHECK(queue.HasRoomFor(1));
  CHECK_FALSE(queue.HasRoomFor(2));
  queue.Pass([](const char*, size_t) { return size_t{2}; });
  CHECK(queue.HasRoomFor(3));
  queue.Clear();
  CHECK(queue.HasRoomFor(4));
  CHECK(queue.empty());
}

TEST_CASE("a line over the limit of a terminal in line mode is told, in one write or in several") {
  const std::string longest(kMostLineBytes, 'x');
  LineLimit limit;
  CHECK(limit.Admits(LineMode(), longest + "\n" + longest + "\r" + longest + "\x04"));
  CHECK_FALSE(limit.Admits(LineMode(), longest + "x"));
  CHECK(limit.Admits(LineMode(), longest));
  CHECK_FALSE(limit.Admits(LineMode(), "x"));
  CHECK(limit.Admits(LineMode(), "\x03" + longest));
  CHECK(limit.Admits(LineMode(), "\n"));
}

TEST_CASE("a terminal that is in no line mode has no limit of lines") {
  termios raw{};
  LineLimit limit;
  CHECK(limit.Admits(raw, std::string(100000, 'x')));
  CHECK(limit.Admits(LineMode(), "x"));
}

TEST_CASE("who ignores TERM is told from its status") {
  CHECK(ParseIgnoresTerm("Name:\tbash\nSigBlk:\t0000000000000000\nSigIgn:\t0000000000384004\nSigCgt:\t0\n"));
  CHECK_FALSE(ParseIgnoresTerm("Name:\tbash\nSigIgn:\t0000000000000004\nSigCgt:\tffffffffffffffff\n"));
  CHECK_FALSE(ParseIgnoresTerm(""));
}

}  // namespace quiesce

#include "spawn/request_decoder.h"

#include <doctest/doctest.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <limits>

namespace quiesce {

namespace {

using Numbers = std::array<double, kRequestFields>;

// grace 3000, deadline 50, leftovers kept, no control, stdin ignored, both outputs collected.
constexpr Numbers kPlain = {3000, 50, 0, 0, 0, 4, 64000, 1000, 4, 500, 0, 0, 0, 0, 0, 0, 0};

std::string Strings(std::initializer_list<const char*> texts) {
  std::string block;
  for (const char* text : texts) block.append(text).push_back('\0');
  return block;
}

Result<DecodedRequest> Decode(const Numbers& numbers, std::string argv = Strings({"bash", "-c", ":"})) {
  return DecodeRequest({std::move(argv), Strings({"A=1"}), "/", numbers, "data", std::nullopt});
}

}  // namespace

TEST_CASE("a flat request becomes the request that it describes") {
  auto decoded = Decode(kPlain);
  REQUIRE(decoded.ok());
  SpawnRequest& request = decoded.value().request;
  CHECK(request.argv.Pointers().size() == 4);
  CHECK(request.environment.Pointers().size() == 2);
  CHECK(request.cwd == "/");
  CHECK(request.grace.count() == 3000);
  CHECK(request.deadline->count() == 50);
  CHECK(request.leftovers == Leftovers::kKeep);
  CHECK(request.input.mode == StreamMode::kNull);
  CHECK(request.output.mode == StreamMode::kCollect);
  CHECK(request.output.collect.max_bytes == 64000);
  CHECK(request.output.collect.spill_max_bytes == 1000);
  CHECK(request.error.collect.max_bytes == 500);
  CHECK_FALSE(decoded.value().failure.has_value());
}

TEST_CASE("limits arrive as they are, and 0 is none") {
  auto none = Decode(kPlain);
  REQUIRE(none.ok());
  CHECK_FALSE(none.value().request.range_limits.any());
  CHECK(none.value().request.process_limits.open_files == 0);
  Numbers numbers = kPlain;
  numbers[kMemoryBytesField] = 9007199254740991.0;
  numbers[kPidsField] = 40;
  numbers[kCpusField] = 0.5;
  numbers[kCpuSecondsField] = 7;
  numbers[kFileBytesField] = 1000;
  numbers[kOpenFilesField] = 64;
  auto decoded = Decode(numbers);
  REQUIRE(decoded.ok());
  const SpawnRequest& request = decoded.value().request;
  CHECK(request.range_limits.memory_bytes == 9007199254740991U);
  CHECK(request.range_limits.pids == 40);
  CHECK(request.range_limits.cpus == 0.5);
  CHECK(request.process_limits.cpu_seconds == 7);
  CHECK(request.process_limits.file_bytes == 1000);
  CHECK(request.process_limits.open_files == 64);
}

TEST_CASE("raw streams and the control channel come in pairs of descriptors") {
  Numbers numbers = kPlain;
  numbers[kStdinModeField] = numbers[kStdoutModeField] = numbers[kStderrModeField] = 2;
  numbers[kControlField] = 1;
  auto decoded = Decode(numbers);
  REQUIRE(decoded.ok());
  const RawStreams& raw = decoded.value().raw;
  const SpawnRequest& request = decoded.value().request;
  for (const UniqueFd* fd : {&raw.input, &raw.output, &raw.error, &raw.control, &request.input.descriptor,
                             &request.output.descriptor, &request.error.descriptor, &request.control}) {
    CHECK(fd->valid());
  }
}

TEST_CASE("a request that no caller can make is refused") {
  CHECK(Decode(kPlain, "").error().number == EINVAL);
  CHECK(Decode(kPlain, std::string(1, '\0')).error().number == EINVAL);
  CHECK(Decode(kPlain, "no end").error().number == EINVAL);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const std::pair<RequestField, double> bad[] = {{kGraceField, nan},
                                                 {kGraceField, -1},
                                                 {kGraceField, infinity},
                                                 {kGraceField, 2147483648.0},
                                                 {kDeadlineField, 1e300},
                                                 {kDeadlineField, -2},
                                                 {kDeadlineField, nan},
                                                 {kStdinModeField, 4},
                                                 {kStdinModeField, 1},
                                                 {kStdinModeField, 0.5},
                                                 {kStdinModeField, -1},
                                                 {kStdoutModeField, 3},
                                                 {kStdoutModeField, 1e300},
                                                 {kStderrModeField, nan},
                                                 {kStdoutMaxBytesField, 0},
                                                 {kStdoutMaxBytesField, nan},
                                                 {kStderrMaxBytesField, 1e300},
                                                 {kStdoutSpillMaxBytesField, -1},
                                                 {kMemoryBytesField, -1},
                                                 {kPidsField, nan},
                                                 {kCpusField, 8193},
                                                 {kCpusField, nan},
                                                 {kCpusField, -0.5},
                                                 {kCpuSecondsField, 2147483648.0},
                                                 {kFileBytesField, 1e300},
                                                 {kOpenFilesField, infinity}};
  for (const auto& [field, value] : bad) {
    Numbers numbers = kPlain;
    numbers[field] = value;
    CAPTURE(static_cast<int>(field));
    CAPTURE(value);
    CHECK(Decode(numbers).error().number == EINVAL);
  }
  CHECK(DecodeRequest({Strings({"a"}), "", "/", std::span(kPlain).first(5), "", std::nullopt}).error().number ==
        EINVAL);
  CHECK(DecodeRequest({Strings({"a"}), "", "", kPlain, "", std::nullopt}).error().number == EINVAL);
}

TEST_CASE("a command in a terminal has a size and a grace, and nothing that it leaves is kept") {
  const double numbers[] = {250, 40, 65535};
  auto decoded = DecodeTerminal({Strings({"a", "b"}), Strings({"X=1"}), "/tmp", numbers, "", std::nullopt});
  REQUIRE(decoded.ok());
  CHECK(decoded.value().rows == 40);
  CHECK(decoded.value().cols == 65535);
  CHECK(decoded.value().request.grace == Millis(250));
  CHECK(decoded.value().request.cwd == "/tmp");
  CHECK(decoded.value().request.leftovers == Leftovers::kTerminateLater);
}

TEST_CASE("a terminal of no possible size, or of a malformed command, is refused") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::array<double, 3> bad[] = {{nan, 1, 1}, {-1, 1, 1}, {1, 0, 1}, {1, 1, 0}, {1, nan, 1}, {1, 1, 65536}};
  for (const auto& numbers : bad) {
    CHECK(DecodeTerminal({Strings({"a"}), "", "/", numbers, "", std::nullopt}).error().number == EINVAL);
  }
  const double good[] = {1, 1, 1};
  CHECK(DecodeTerminal({"", "", "/", good, "", std::nullopt}).error().number == EINVAL);
  CHECK(DecodeTerminal({Strings({"a"}), "", "/", std::span(good).first(2), "", std::nullopt}).error().number == EINVAL);
}

}  // namespace quiesce

// The decoder of spawn requests against its contract, field by field: what no caller can make is refused, everything
// else arrives as it was, with a pair of descriptors for each pipe and none left over.
#include "spawn/request_decoder.h"

#include <fcntl.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <vector>

#include "fuzz/input.h"
#include "fuzz/targets.h"

namespace quiesce::fuzz {

namespace {

constexpr double kLargestInteger = 9007199254740991;
constexpr double kLongestDelay = 2147483647;

struct Request {
  std::vector<double> numbers;
  std::string argv;
  std::string environment;
  std::string cwd;
  std::string data;
  std::optional<std::string> attachment;
};

std::string WithNuls(std::string_view text) {
  std::string block(text);
  std::replace(block.begin(), block.end(), '|', '\0');
  return block;
}

Request Take(std::span<const uint8_t> bytes) {
  Input input(bytes);
  Request request;
  Input line(input.TextUntil("\n"));
  while (!line.empty()) request.numbers.push_back(strtod(std::string(line.TextUntil(" ")).c_str(), nullptr));
  request.argv = WithNuls(input.TextUntil("\n"));
  request.environment = WithNuls(input.TextUntil("\n"));
  request.cwd = WithNuls(input.TextUntil("\n"));
  request.data = input.TextUntil("\n");
  if (!input.empty()) request.attachment = input.Rest();
  return request;
}

bool IsStringList(const std::string& block) { return block.empty() || block.ends_with('\0'); }

bool IsDelay(double value) { return value >= 0 && value <= kLongestDelay; }

bool IsOneOf(double value, std::initializer_list<int> modes) {
  return std::find(modes.begin(), modes.end(), value) != modes.end();
}

bool IsOutput(const double* numbers, bool* collected) {
  *collected = numbers[0] == 4;
  return IsOneOf(numbers[0], {0, 1, 2, 4}) && numbers[1] >= (*collected ? 1 : 0) && numbers[1] <= kLargestInteger &&
         numbers[2] >= 0 && numbers[2] <= kLargestInteger;
}

bool AreLimits(const std::vector<double>& numbers) {
  for (const size_t place : {kMemoryBytesField, kPidsField, kFileBytesField, kOpenFilesField}) {
    if (!(numbers[place] >= 0 && numbers[place] <= kLargestInteger)) return false;
  }
  return IsDelay(numbers[kCpuSecondsField]) && numbers[kCpusField] >= 0 && numbers[kCpusField] <= 8192;
}

bool IsAcceptable(const Request& request) {
  const auto& numbers = request.numbers;
  bool collected = false;
  return numbers.size() == kRequestFields && IsDelay(numbers[kGraceField]) &&
         (numbers[kDeadlineField] == -1 || IsDelay(numbers[kDeadlineField])) &&
         IsOneOf(numbers[kStdinModeField], {0, 2, 3}) && IsOutput(&numbers[kStdoutModeField], &collected) &&
         IsOutput(&numbers[kStderrModeField], &collected) && AreLimits(numbers) && request.argv.size() > 1 &&
         IsStringList(request.argv) && IsStringList(request.environment) && !request.cwd.empty() &&
         request.cwd.find('\0') == std::string::npos;
}

std::string Joined(StringBlock& block) {
  std::string joined;
  for (const char* text : block.Pointers()) {
    if (text != nullptr) joined.append(text, strlen(text) + 1);
  }
  return joined;
}

void CheckOutput(const double* numbers, const OutputRequest& output, const UniqueFd& raw) {
  constexpr StreamMode kModes[] = {StreamMode::kNull, StreamMode::kInherit, StreamMode::kDescriptor, StreamMode::kNull,
                                   StreamMode::kCollect};
  Require(output.mode == kModes[static_cast<size_t>(numbers[0])], "an output has the mode that was asked for");
  const bool piped = output.mode == StreamMode::kDescriptor;
  Require(output.descriptor.valid() == piped && raw.valid() == piped, "a piped output has both ends, another none");
  if (output.mode != StreamMode::kCollect) return;
  Require(output.collect.max_bytes == static_cast<size_t>(numbers[1]), "memory is as asked for");
  Require(output.collect.spill_max_bytes == static_cast<uint64_t>(numbers[2]), "the spill is as asked for");
}

void CheckInput(double mode, const std::string& data, const InputRequest& input, const UniqueFd& raw) {
  const bool piped = mode == 2;
  Require(input.descriptor.valid() == piped && raw.valid() == piped, "a piped input has both ends, another none");
  Require((input.mode == StreamMode::kDescriptor) == piped, "an input is a pipe if that was asked for");
  Require((input.mode == StreamMode::kData) == (mode == 3), "an input is data if that was asked for");
  if (mode == 3) Require(input.data == data, "the data is what was given");
}

void CheckTimes(const std::vector<double>& numbers, const SpawnRequest& request) {
  const TimePoint now = Clock::now();
  Require(request.grace.count() == numbers[kGraceField], "the grace is as given");
  Require(After(now, request.grace) >= now, "a grace ends after it began");
  Require(request.deadline.has_value() == (numbers[kDeadlineField] != -1), "there is a deadline if one was given");
  if (!request.deadline.has_value()) return;
  Require(request.deadline->count() == numbers[kDeadlineField], "the deadline is as given");
  Require(After(now, *request.deadline) >= now, "a deadline lies ahead");
}

void CheckLimits(const std::vector<double>& numbers, const SpawnRequest& request) {
  const auto [memory_bytes, pids, cpus] = request.range_limits;
  const auto [cpu_seconds, file_bytes, open_files] = request.process_limits;
  const auto is = [&](RequestField place, uint64_t count) { return static_cast<uint64_t>(numbers[place]) == count; };
  Require(is(kMemoryBytesField, memory_bytes) && is(kPidsField, pids) && numbers[kCpusField] == cpus,
          "the limits of the range are those given");
  Require(is(kCpuSecondsField, cpu_seconds) && is(kFileBytesField, file_bytes) && is(kOpenFilesField, open_files),
          "the limits of each process are those given");
}

void CheckDecoded(const Request& flat, DecodedRequest decoded) {
  const auto& numbers = flat.numbers;
  SpawnRequest& request = decoded.request;
  Require(!decoded.failure.has_value(), "pipes can be made");
  Require(Joined(request.argv) == flat.argv, "the arguments are those given");
  Require(Joined(request.environment) == flat.environment, "the environment is that given");
  Require(request.cwd == flat.cwd && request.attachment == flat.attachment, "folder and attachment are those given");
  Require((request.leftovers == Leftovers::kTerminate) == (numbers[kEndLeftoversField] != 0), "leftovers are as asked");
  const bool controlled = numbers[kControlField] != 0;
  Require(request.control.valid() == controlled && decoded.raw.control.valid() == controlled,
          "a control channel has both ends, and is there if asked for");
  CheckTimes(numbers, request);
  CheckLimits(numbers, request);
  CheckInput(numbers[kStdinModeField], flat.data, request.input, decoded.raw.input);
  CheckOutput(&numbers[kStdoutModeField], request.output, decoded.raw.output);
  CheckOutput(&numbers[kStderrModeField], request.error, decoded.raw.error);
}

// The number that the next descriptor will get. It is the same again where nothing was left open.
int NextDescriptor() {
  const UniqueFd next(fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0));
  return next.get();
}

}  // namespace

// Input: lines of the numbers, arguments, environment (each string followed by `|`), folder, data; the rest is the
// attachment.
void FuzzRequest(std::span<const uint8_t> bytes) {
  const Request request = Take(bytes);
  const int next = NextDescriptor();
  auto decoded = DecodeRequest(
      {request.argv, request.environment, request.cwd, request.numbers, request.data, request.attachment});
  Require(decoded.ok() == IsAcceptable(request), "a request is decoded if and only if a caller can make it");
  if (decoded.ok()) {
    CheckDecoded(request, std::move(decoded.value()));
  } else {
    Require(decoded.error().number == EINVAL, "a refusal is EINVAL");
  }
  Require(NextDescriptor() == next, "no descriptor is left open");
}

}  // namespace quiesce::fuzz

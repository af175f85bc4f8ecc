#include "spawn/request_decoder.h"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <limits>

#include "os/file.h"

namespace quiesce {

namespace {

constexpr double kLargestSafeInteger = 9007199254740991.0;
constexpr double kLongestDelay = 2147483647.0;  // of a timer of Node's; no option of the API may be longer
constexpr double kMostCpus = 8192;              // of a kernel: the upper bound of CONFIG_NR_CPUS

bool IsSize(double value) { return value >= 0 && value <= kLargestSafeInteger; }  // false for NaN

bool IsDelay(double value) { return value >= 0 && value <= kLongestDelay; }  // false for NaN

bool AreLimits(std::span<const double> numbers) {
  return IsSize(numbers[kMemoryBytesField]) && IsSize(numbers[kPidsField]) && numbers[kCpusField] >= 0 &&
         numbers[kCpusField] <= kMostCpus && IsDelay(numbers[kCpuSecondsField]) && IsSize(numbers[kFileBytesField]) &&
         IsSize(numbers[kOpenFilesField]);
}

bool IsStringList(const std::string& block) { return block.empty() || block.back() == '\0'; }

bool IsMode(double value, RequestMode forbidden) {
  return value == std::floor(value) && value >= 0 && value <= static_cast<double>(RequestMode::kCollect) &&
         value != static_cast<double>(forbidden);
}

bool IsCommand(const FlatRequest& flat) {
  return flat.argv.size() > 1 && IsStringList(flat.argv) && IsStringList(flat.environment) && !flat.cwd.empty() &&
         flat.cwd.find('\0') == std::string::npos;
}

// False for NaN.
bool IsTerminalSize(double value) { return value >= 1 && value <= std::numeric_limits<uint16_t>::max(); }

bool IsWellFormed(const FlatRequest& flat) {
  const auto& numbers = flat.numbers;
  if (numbers.size() != kRequestFields) return false;
  return IsCommand(flat) && IsDelay(numbers[kGraceField]) &&
         (numbers[kDeadlineField] == -1 || IsDelay(numbers[kDeadlineField])) &&
         IsMode(numbers[kStdinModeField], RequestMode::kCollect) &&
         IsMode(numbers[kStdoutModeField], RequestMode::kData) &&
         IsMode(numbers[kStderrModeField], RequestMode::kData) && IsSize(numbers[kStdoutMaxBytesField]) &&
         IsSize(numbers[kStdoutSpillMaxBytesField]) && IsSize(numbers[kStderrMaxBytesField]) &&
         IsSize(numbers[kStderrSpillMaxBytesField]) && AreLimits(numbers);
}

uint64_t ToCount(double value) { return static_cast<uint64_t>(value); }

RequestMode ToMode(double value) { return static_cast<RequestMode>(static_cast<int>(value)); }

Status DecodeInput(RequestMode mode, std::string data, InputRequest* input, UniqueFd* raw) {
  if (mode == RequestMode::kData) {
    input->mode = StreamMode::kData;
    input->data = std::move(data);
  } else if (mode == RequestMode::kPipe) {
    auto made = MakePipe();
    if (!made.ok()) return made.error();
    input->mode = StreamMode::kDescriptor;
    input->descriptor = std::move(made.value().reader);
    *raw = std::move(made.value().writer);
  } else if (mode == RequestMode::kInherit) {
    return SysError{EINVAL, "spawn", {}};
  }
  return {};
}

Status DecodeOutput(RequestMode mode, double max_bytes, double spill_max_bytes, OutputRequest* output, UniqueFd* raw) {
  if (mode == RequestMode::kInherit) {
    output->mode = StreamMode::kInherit;
  } else if (mode == RequestMode::kCollect) {
    // A ring needs at least one place.
    if (max_bytes < 1) return SysError{EINVAL, "spawn", {}};
    output->mode = StreamMode::kCollect;
    output->collect = {static_cast<size_t>(max_bytes), static_cast<uint64_t>(spill_max_bytes)};
  } else if (mode == RequestMode::kPipe) {
    auto made = MakePipe();
    if (!made.ok()) return made.error();
    output->mode = StreamMode::kDescriptor;
    output->descriptor = std::move(made.value().writer);
    *raw = std::move(made.value().reader);
  }
  return {};
}

Status DecodeControl(bool wanted, UniqueFd* control, UniqueFd* raw) {
  if (!wanted) return {};
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == -1) return SysError{errno, "socketpair", {}};
  control->Reset(ends[0]);
  raw->Reset(ends[1]);
  return {};
}

}  // namespace

Result<DecodedRequest> DecodeRequest(FlatRequest flat) {
  if (!IsWellFormed(flat)) return SysError{EINVAL, "spawn", {}};
  const auto& numbers = flat.numbers;
  DecodedRequest decoded;
  SpawnRequest& request = decoded.request;
  request.argv = StringBlock(std::move(flat.argv));
  request.environment = StringBlock(std::move(flat.environment));
  request.cwd = std::move(flat.cwd);
  request.grace = Millis(numbers[kGraceField]);
  if (numbers[kDeadlineField] != -1) request.deadline = Millis(numbers[kDeadlineField]);
  request.leftovers = numbers[kEndLeftoversField] != 0 ? Leftovers::kTerminate : Leftovers::kKeep;
  request.attachment = std::move(flat.attachment);
  request.range_limits = {ToCount(numbers[kMemoryBytesField]), ToCount(numbers[kPidsField]), numbers[kCpusField]};
  request.process_limits = {ToCount(numbers[kCpuSecondsField]), ToCount(numbers[kFileBytesField]),
                            ToCount(numbers[kOpenFilesField])};
  RawStreams& raw = decoded.raw;
  const std::array<Status, 4> made = {
      DecodeInput(ToMode(numbers[kStdinModeField]), std::move(flat.stdin_data), &request.input, &raw.input),
      DecodeOutput(ToMode(numbers[kStdoutModeField]), numbers[kStdoutMaxBytesField], numbers[kStdoutSpillMaxBytesField],
                   &request.output, &raw.output),
      DecodeOutput(ToMode(numbers[kStderrModeField]), numbers[kStderrMaxBytesField], numbers[kStderrSpillMaxBytesField],
                   &request.error, &raw.error),
      DecodeControl(numbers[kControlField] != 0, &request.control, &raw.control)};
  for (const Status& status : made) {
    if (status.ok()) continue;
    if (status.error().number == EINVAL) return status.error();
    decoded.failure = SpawnFailure{SpawnStage::kStdio, status.error().number, {}};
  }
  return decoded;
}

Result<DecodedTerminal> DecodeTerminal(FlatRequest flat) {
  const auto& numbers = flat.numbers;
  if (numbers.size() != kTerminalFields || !IsCommand(flat) || !IsDelay(numbers[kTerminalGraceField]) ||
      !IsTerminalSize(numbers[kRowsField]) || !IsTerminalSize(numbers[kColsField])) {
    return SysError{EINVAL, "spawn", {}};
  }
  DecodedTerminal decoded;
  decoded.rows = static_cast<uint16_t>(numbers[kRowsField]);
  decoded.cols = static_cast<uint16_t>(numbers[kColsField]);
  SpawnRequest& request = decoded.request;
  request.argv = StringBlock(std::move(flat.argv));
  request.environment = StringBlock(std::move(flat.environment));
  request.cwd = std::move(flat.cwd);
  request.grace = Millis(numbers[kTerminalGraceField]);
  // Nobody could speak to what is left any more.
  request.leftovers = Leftovers::kTerminateLater;
  return decoded;
}

}  // namespace quiesce

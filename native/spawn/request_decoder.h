// Makes a spawn request out of the flat form in which it crosses the border to JavaScript (src/native/binding.ts).
// Knows nothing of Node, so that it can be tested and fuzzed; trusts nothing that could harm the host.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "os/result.h"
#include "spawn/spawn_request.h"

namespace quiesce {

enum RequestField : size_t {
  kGraceField,
  kDeadlineField,  // -1: none
  kEndLeftoversField,
  kControlField,
  kStdinModeField,
  kStdoutModeField,
  kStdoutMaxBytesField,
  kStdoutSpillMaxBytesField,  // 0: none
  kStderrModeField,
  kStderrMaxBytesField,
  kStderrSpillMaxBytesField,
  // Of limits, 0: none
  kMemoryBytesField,
  kPidsField,
  kCpusField,
  kCpuSecondsField,
  kFileBytesField,
  kOpenFilesField,
  kRequestFields
};

enum class RequestMode : int { kIgnore = 0, kInherit = 1, kPipe = 2, kData = 3, kCollect = 4 };

// The host's ends of raw streams, to become streams of Node.
struct RawStreams {
  UniqueFd input;
  UniqueFd output;
  UniqueFd error;
  UniqueFd control;
};

struct FlatRequest {
  std::string argv;
  std::string environment;
  std::string cwd;
  std::span<const double> numbers;
  std::string stdin_data;
  std::optional<std::string> attachment;
};

struct DecodedRequest {
  SpawnRequest request;
  RawStreams raw;
  std::optional<SpawnFailure> failure;  // a raw stream could not be made; the request must not be run
};

enum TerminalField : size_t { kTerminalGraceField, kRowsField, kColsField, kTerminalFields };

struct DecodedTerminal {
  SpawnRequest request;
  uint16_t rows = 0;
  uint16_t cols = 0;
};

// EINVAL for a request that no caller of binding.ts can make.
Result<DecodedRequest> DecodeRequest(FlatRequest flat);

// As above, for a command in a terminal: of `flat` neither the data nor the attachment is used.
Result<DecodedTerminal> DecodeTerminal(FlatRequest flat);

}  // namespace quiesce

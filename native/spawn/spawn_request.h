// What is asked of a spawn, with every default filled in and every string checked by the caller.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "os/clock.h"
#include "os/unique_fd.h"
#include "spawn/limits.h"
#include "spawn/string_block.h"

namespace quiesce {

// Fixed descriptors of the optional channels in the command.
inline constexpr int kControlDescriptor = 7;
inline constexpr int kAttachmentDescriptor = 8;

enum class StreamMode : uint8_t {
  kNull,        // the null device
  kInherit,     // the host's own stream
  kDescriptor,  // a descriptor that the request carries
  kData,        // input only: written once, then closed
  kCollect      // output only: read into a collector
};

struct CollectLimits {
  size_t max_bytes = 0;
  uint64_t spill_max_bytes = 0;  // 0: no spill
};

struct InputRequest {
  StreamMode mode = StreamMode::kNull;
  UniqueFd descriptor;
  std::string data;
};

struct OutputRequest {
  StreamMode mode = StreamMode::kNull;
  UniqueFd descriptor;
  CollectLimits collect;
};

// What becomes of those that are left when the command has exited. With kTerminate the command settles when they are
// gone, with kTerminateLater without waiting for that.
enum class Leftovers : uint8_t { kKeep, kTerminate, kTerminateLater };

class ConfinementSource;

struct SpawnRequest {
  StringBlock argv;
  StringBlock environment;  // NAME=value
  std::string cwd;
  InputRequest input;
  OutputRequest output;
  OutputRequest error;
  UniqueFd control;
  // The command's end of a terminal: its three streams in the place of all modes, and its controlling terminal.
  UniqueFd terminal;
  std::optional<std::string> attachment;
  Millis grace{0};
  std::optional<Millis> deadline;
  Leftovers leftovers = Leftovers::kKeep;
  RangeLimits range_limits;
  ProcessLimits process_limits;
  std::shared_ptr<ConfinementSource> confinement;  // null: unconfined
};

// The step that failed; the numbers are part of the native API (src/native/binding.ts).
enum class SpawnStage : uint8_t {
  kNone = 0,
  kStdio = 1,
  kRange = 2,
  kClone = 3,
  kChdir = 4,
  kExec = 5,
  kSandbox = 6,
  kLimits = 7
};

struct SpawnFailure {
  SpawnStage stage = SpawnStage::kNone;
  int error = 0;
  std::string path;  // empty: the caller knows it
  // With kSandbox: which step of the confinement, in words; `path` is then what the preparing program said, if
  // anything. With kLimits: which limit, by the name of its option; `path` is then the file that it was refused at, the
  // hard limit that it is above, or empty where the range has no such limits.
  const char* step = "";
};

}  // namespace quiesce

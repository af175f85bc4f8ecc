// What a command may use at most. Those of the whole range belong to the range, those of each process to the child that
// becomes the command. 0 stands for no limit of its own.
#pragma once

#include <cstdint>

namespace quiesce {

enum class Limit : uint8_t { kNone, kMemory, kPids, kCpus, kCpuSeconds, kFileBytes, kOpenFiles };

// As the option of the API is called, such as "memoryBytes".
constexpr const char* NameOf(Limit limit) {
  switch (limit) {
    case Limit::kMemory:
      return "memoryBytes";
    case Limit::kPids:
      return "pids";
    case Limit::kCpus:
      return "cpus";
    case Limit::kCpuSeconds:
      return "cpuSeconds";
    case Limit::kFileBytes:
      return "fileBytes";
    case Limit::kOpenFiles:
      return "openFiles";
    case Limit::kNone:
      break;
  }
  return "";
}

// Of all processes of the command together.
struct RangeLimits {
  uint64_t memory_bytes = 0;
  uint64_t pids = 0;
  double cpus = 0;

  [[nodiscard]] constexpr Limit first() const {
    if (memory_bytes != 0) return Limit::kMemory;
    if (pids != 0) return Limit::kPids;
    return cpus != 0 ? Limit::kCpus : Limit::kNone;
  }
  [[nodiscard]] constexpr bool any() const { return first() != Limit::kNone; }
};

// Of each single process, inherited by what it starts (getrlimit(2)).
struct ProcessLimits {
  uint64_t cpu_seconds = 0;
  uint64_t file_bytes = 0;
  uint64_t open_files = 0;
};

}  // namespace quiesce

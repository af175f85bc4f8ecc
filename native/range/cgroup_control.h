// The controllers of cgroup v2 folders and the files in which limits and counters stand
// (Documentation/admin-guide/cgroup-v2.rst). Everything goes through descriptors of folders, which are borrowed.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "os/result.h"
#include "range/tree_usage.h"
#include "spawn/limits.h"

namespace quiesce {

// A limit that cannot be had, and the file at which that was seen, by its name in the folder.
struct LimitRefusal {
  Limit limit = Limit::kNone;
  SysError error;
};

class CgroupControl {
 public:
  explicit CgroupControl(int folder) : folder_(folder) {}

  // Lets the folders below have a controller, such as "memory". ENOTSUP of cgroup.controllers: this folder has it not
  // itself. EBUSY of cgroup.subtree_control: it holds processes, and then the kernel lets it hand nothing down.
  [[nodiscard]] Status HandDownOne(const char* controller) const;

  // All those that `limits` need.
  [[nodiscard]] std::optional<LimitRefusal> HandDown(const RangeLimits& limits) const;

  // Holds the processes of this folder to `limits`. Memory means memory: nothing of them is swapped out, and when it
  // runs out all of them end together.
  [[nodiscard]] std::optional<LimitRefusal> Hold(const RangeLimits& limits) const;

  // What the controllers have counted since the folder was made; `cpu_ms` is not among it.
  [[nodiscard]] TreeUsage ReadCounters() const;

 private:
  int folder_;
};

// Whether `name` is one of the words of a list such as cgroup.controllers.
bool ListsController(std::string_view list, std::string_view name);

// The number behind `key` in a file of such lines as "usage_usec 5".
std::optional<uint64_t> FindCount(std::string_view text, std::string_view key);

}  // namespace quiesce

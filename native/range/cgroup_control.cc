#include "range/cgroup_control.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <string>

#include "os/file.h"

namespace quiesce {

namespace {

// Of cpu.max, the kernel's default. In it a command may use `cpus` times as long.
constexpr double kPeriodUs = 100000;

std::optional<uint64_t> ParseCount(std::string_view text) {
  uint64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{} || end == text.data()) return std::nullopt;
  return count;
}

std::optional<uint64_t> ReadCount(int folder, const char* file) {
  auto text = ReadFileAt(folder, file);
  return text.ok() ? ParseCount(text.value()) : std::nullopt;
}

// compat(kernel < 4.19: memory.oom.group; a kernel without swap: memory.swap.max): no such file, and nothing to set.
Status WriteWhereItIs(int folder, const char* file, std::string_view text) {
  Status written = WriteFileAt(folder, file, text);
  if (!written.ok() && written.error().number == ENOENT) return {};
  return written;
}

// The child that still shares the host's memory is the first in its folder, and the kernel never ends such a one for
// want of memory (in_vfork in mm/oom_kill.c): a group of victims cannot take the host with it.
Status HoldMemory(int folder, uint64_t bytes) {
  if (Status swap = WriteWhereItIs(folder, "memory.swap.max", "0"); !swap.ok()) return swap;
  if (Status group = WriteWhereItIs(folder, "memory.oom.group", "1"); !group.ok()) return group;
  return WriteFileAt(folder, "memory.max", std::to_string(bytes));
}

Status HoldCpus(int folder, double cpus) {
  const auto quota_us = static_cast<uint64_t>(std::llround(cpus * kPeriodUs));
  return WriteFileAt(folder, "cpu.max", std::to_string(quota_us) + " " + std::to_string(std::llround(kPeriodUs)));
}

}  // namespace

Status CgroupControl::HandDownOne(const char* controller) const {
  auto handed_down = ReadFileAt(folder_, "cgroup.subtree_control");
  if (!handed_down.ok()) return handed_down.error();
  if (ListsController(handed_down.value(), controller)) return {};
  auto own = ReadFileAt(folder_, "cgroup.controllers");
  if (!own.ok()) return own.error();
  if (!ListsController(own.value(), controller)) return SysError{ENOTSUP, "read", "cgroup.controllers"};
  return WriteFileAt(folder_, "cgroup.subtree_control", std::string("+") + controller);
}

std::optional<LimitRefusal> CgroupControl::HandDown(const RangeLimits& limits) const {
  struct Needed {
    Limit limit;
    const char* controller;
    bool needed;
  };
  const Needed all[] = {{Limit::kMemory, "memory", limits.memory_bytes != 0},
                        {Limit::kPids, "pids", limits.pids != 0},
                        {Limit::kCpus, "cpu", limits.cpus != 0}};
  for (const Needed& each : all) {
    if (!each.needed) continue;
    if (Status status = HandDownOne(each.controller); !status.ok()) return LimitRefusal{each.limit, status.error()};
  }
  return std::nullopt;
}

std::optional<LimitRefusal> CgroupControl::Hold(const RangeLimits& limits) const {
  if (limits.memory_bytes != 0) {
    if (Status held = HoldMemory(folder_, limits.memory_bytes); !held.ok()) {
      return LimitRefusal{Limit::kMemory, held.error()};
    }
  }
  if (limits.pids != 0) {
    Status held = WriteFileAt(folder_, "pids.max", std::to_string(limits.pids));
    if (!held.ok()) return LimitRefusal{Limit::kPids, held.error()};
  }
  if (limits.cpus != 0) {
    if (Status held = HoldCpus(folder_, limits.cpus); !held.ok()) return LimitRefusal{Limit::kCpus, held.error()};
  }
  return std::nullopt;
}

TreeUsage CgroupControl::ReadCounters() const {
  TreeUsage usage;
  usage.memory_peak_bytes = ReadCount(folder_, "memory.peak");  // compat(kernel < 5.19): no such file
  usage.pids_peak = ReadCount(folder_, "pids.peak");            // compat(kernel < 6.1): no such file
  auto events = ReadFileAt(folder_, "memory.events");
  if (events.ok()) usage.oom_kills = FindCount(events.value(), "oom_kill");
  return usage;
}

bool ListsController(std::string_view list, std::string_view name) {
  while (!list.empty()) {
    const std::string_view word = list.substr(0, list.find_first_of(" \n"));
    if (word == name) return true;
    list.remove_prefix(std::min(word.size() + 1, list.size()));
  }
  return false;
}

std::optional<uint64_t> FindCount(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (line.size() > key.size() && line.starts_with(key) && line[key.size()] == ' ') {
      return ParseCount(line.substr(key.size() + 1));
    }
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return std::nullopt;
}

}  // namespace quiesce

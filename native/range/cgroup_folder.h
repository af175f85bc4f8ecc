// One cgroup v2 folder of ours: made, read, signalled as a whole, removed. Everything goes through its descriptor, so
// that a hierarchy mounted elsewhere or over it changes nothing.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "os/result.h"
#include "os/unique_fd.h"
#include "range/tree_usage.h"

namespace quiesce {

struct CgroupEvents {
  bool populated = false;
  bool frozen = false;
};

// The content of cgroup.events. Keys that are missing (frozen before kernel 5.2) count as false.
CgroupEvents ParseCgroupEvents(std::string_view text);

// The content of cgroup.procs, in order.
std::vector<pid_t> ParsePids(std::string_view text);

class CgroupFolder {
 public:
  // Makes `name` below the folder `parent`, which is borrowed and must outlive the object.
  static Result<CgroupFolder> Create(int parent, std::string name);

  // One that somebody else has made, and removes. `name` is for messages.
  static Result<CgroupFolder> Adopt(UniqueFd folder, std::string name);
  // The same of a folder that is there: `folder`, which is `name` below `parent`.
  static Result<CgroupFolder> Open(int parent, std::string name, UniqueFd folder);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] int fd() const { return folder_.get(); }
  [[nodiscard]] int events_fd() const { return events_.get(); }

  Result<CgroupEvents> ReadEvents() const { return ReadEventsOf(events_.get()); }

  // From kernel 6.14 on a process that is cloned into a folder which was ever killed may be killed at birth.
  [[nodiscard]] bool killed() const { return killed_; }

  // Once a command was held to limits here: they would hold the next one, and its counters are not its own.
  [[nodiscard]] bool limited() const { return limited_; }
  void MarkLimited() { limited_ = true; }

  // What was used here since the last reading.
  TreeUsage TakeUsage();

  [[nodiscard]] bool HasNested() const;

  // Whether the command left anything behind that the next one would notice.
  [[nodiscard]] bool IsPristine() const;

  // TERM and the like: every member, those of nested folders included, gets it at one moment in the life of the range.
  void SignalMembers(int signal_number) const;

  void KillMembers();

  // Removes every folder nested in it.
  [[nodiscard]] Status RemoveNested() const;

  // Removes the folder and what is nested in it. EBUSY while a dead process is still being taken apart.
  [[nodiscard]] Status Remove() const;

  // Somebody has removed it.
  [[nodiscard]] bool IsGone() const;

  // Kills and removes again and again until it is gone, since a start may have been under way. Blocks; false if it is
  // still there after `patience`.
  bool End(std::chrono::milliseconds patience);

 private:
  CgroupFolder(int parent, std::string name, UniqueFd folder, UniqueFd events);

  static Result<CgroupEvents> ReadEventsOf(int fd);

  int parent_;  // borrowed
  bool killed_ = false;
  bool limited_ = false;
  std::string name_;
  UniqueFd folder_;
  UniqueFd events_;
  UniqueFd cpu_stat_;    // held open: to open it takes longer than to read it
  uint64_t cpu_us_ = 0;  // at the last reading
};

}  // namespace quiesce

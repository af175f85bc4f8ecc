// Starts `quiesce-runner launch` in a systemd scope of its own and waits for its first word.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

#include "launcher/protocol.h"
#include "os/clock.h"
#include "os/result.h"
#include "os/unique_fd.h"
#include "spawn/string_block.h"

namespace quiesce {

struct LauncherOptions {
  std::string runner;       // absolute; without `$`, which newer versions of systemd-run expand
  StringBlock environment;  // of systemd-run: PATH, LC_ALL=C, and where the manager of the user is
  bool leave = false;       // commands outlive a host that is killed
  Millis patience{5000};
};

struct UnmapPage {
  void operator()(LauncherPage* page) const;
};

struct StartedLauncher {
  std::string unit;
  pid_t pid = -1;  // a child of this process
  UniqueFd pidfd;
  UniqueFd control;  // non-blocking
  UniqueFd run;      // the cgroup folder in which the folders of the commands are
  std::unique_ptr<LauncherPage, UnmapPage> page;
};

// Blocks for some 20 ms, at most for `patience`. After an error no process is left. ETIMEDOUT: no first word; ENOENT of
// "execve": there is no systemd-run; ECONNREFUSED: it ended, and `path` is what it said.
Result<StartedLauncher> StartLauncher(const LauncherOptions& options);

}  // namespace quiesce

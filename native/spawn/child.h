// What runs between clone and execve, in the memory of the host while the spawner thread waits: only raw system calls
// on memory prepared beforehand. The result comes back through the plan itself.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "os/sys.h"
#include "spawn/confinement.h"
#include "spawn/limits.h"
#include "spawn/spawn_request.h"

namespace quiesce {

// What a child has from whoever clones it, where it is to have it from somebody else.
struct InheritedSettings {
  static constexpr unsigned kLimits = 16;  // RLIM_NLIMITS; a kernel with more keeps the others

  mode_t umask = 0;
  std::array<rlimit, kLimits> limits{};  // by the numbers of RLIMIT_*
  uint32_t changed_limits = 0;           // a bit for each that differs from the cloner's
};

struct ChildPlan {
  struct Descriptor {
    int source;  // at least kFirstFreeDescriptor, so that no target can overwrite a source
    int target;
  };
  struct Closing {
    unsigned first;
    unsigned last;
  };
  struct ProcessLimit {
    Limit limit;
    int resource;  // RLIMIT_*
    sys::Rlimit values;
  };

  // A file of /proc about the child itself. It keeps it open from before its confinement on.
  struct OwnFile {
    const char* path;
    int flags;
    int target;
  };

  char* const* argv = nullptr;
  char* const* environment = nullptr;
  char* const* candidates = nullptr;
  int executable = -1;  // an open program, close-on-exec, which is executed in their place
  char** shell_argv = nullptr;
  const char* cwd = nullptr;
  std::array<Descriptor, 7> descriptors{};
  size_t descriptor_count = 0;
  std::array<Closing, 5> closings{};
  size_t closing_count = 0;
  std::array<ProcessLimit, 3> limits{};
  size_t limit_count = 0;
  std::array<OwnFile, 2> own_files{};
  size_t own_file_count = 0;
  bool controlling_terminal = false;              // its standard input becomes that
  const char* oom_score = nullptr;                // null: the command keeps the host's
  const InheritedSettings* settings = nullptr;    // null: the child is the host's clone and has them already
  int cgroup_procs = -1;                          // compat(kernel < 5.7): no CLONE_INTO_CGROUP, the child moves itself
  const ChildConfinement* confinement = nullptr;  // null: unconfined

  // Written by the child, read by the parent once the child has called execve or exited.
  volatile SpawnStage failed_stage = SpawnStage::kNone;
  volatile int failed_errno = 0;
  volatile ConfineStep failed_step = ConfineStep::kNone;  // with SpawnStage::kSandbox
  volatile Limit failed_limit = Limit::kNone;             // with SpawnStage::kLimits
};

// The first descriptor that is free for sources: above every fixed target, those of who starts a command for this
// process included.
inline constexpr int kFirstFreeDescriptor = 16;

// Never returns: execve or exit status 127. `plan` is a ChildPlan*.
void ChildMain(void* plan);

}  // namespace quiesce

// What host and launcher say to each other: whole messages over SOCK_SEQPACKET, with descriptors beside them. Both ends
// come from one build, so the layout is the compiler's.
//
// The launcher has one control socket, which its guard thread answers at any time, and one socket for each start that
// the host wants to make at the same time (a channel): a request, then its reply, so that neither can be mistaken for
// another's. Beside the sockets there is a page of shared memory with one word for each channel, in which the kernel
// itself stores the pid of the newest child, before the child runs.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>

#include "spawn/child.h"
#include "spawn/spawn_request.h"

namespace quiesce {

inline constexpr uint32_t kLauncherMagic = 0x714c6e31;  // "qLn1"

inline constexpr size_t kMostChannels = 64;

struct LauncherPage {
  std::array<pid_t, kMostChannels> pids;
};

// --- control: from the host ---

enum class ControlKind : uint32_t {
  kChannel,  // one descriptor, the launcher's end of a channel; `value` is its word in the page
  kPing,     // answered by kPong with the same `value`
  kAdopt,    // one descriptor, the `run` folder of an earlier launcher: what still runs there ends with the host too
  kRemove,   // `path` is a folder of spill files: at the host's end what nobody has claimed is removed, then the folder
  // --- control: from the launcher ---
  kHello,  // `value` is its pid; one descriptor, the folder `run`
  kPong
};

// Followed by `path_size` bytes of path, without a NUL.
struct ControlHeader {
  uint32_t magic;
  ControlKind kind;
  uint32_t value;
  uint32_t path_size;
};

inline constexpr size_t kMostControlBytes = sizeof(ControlHeader) + 4096;  // PATH_MAX

// --- a channel: a request ---

// Longer bodies travel in a memfd: a big message would want contiguous memory of the kernel.
inline constexpr size_t kMostMessageBytes = size_t{64} * 1024;

enum StartFlag : uint32_t { kBodyInMemfd = 1, kHasOomScore = 2, kHasShell = 4, kConfined = 8, kHasTerminal = 16 };

// In the order in which their descriptors travel: bits of StartHeader::namespaces.
enum StartNamespace : uint32_t { kStartUser, kStartNetwork, kStartIpc, kStartMount, kStartRuleset, kStartNamespaces };

// Followed by the body (unless it is in a memfd): `root_count` StartRoots; then texts that end in NUL each: the working
// folder, the oom score and the shell if there are any, argv, environment, candidates, the paths of the roots.
// Descriptors: the command's cgroup folder, the sources of its descriptors, those of its confinement, the memfd.
struct StartHeader {
  uint32_t magic;
  uint32_t flags;  // StartFlag
  uint64_t body_size;
  uint32_t argv_count;
  uint32_t environment_count;
  uint32_t candidate_count;
  uint32_t descriptor_count;
  uint32_t closing_count;
  uint32_t namespaces;
  uint32_t root_count;
  uint32_t dropped_count;
  uint32_t umask;
  uint32_t process_limit_count;
  std::array<int32_t, std::tuple_size_v<decltype(ChildPlan::descriptors)>> targets;
  decltype(ChildPlan::closings) closings;
  decltype(ChildPlan::limits) process_limits;
  std::array<uint8_t, 64> dropped_capabilities;
  std::array<std::array<uint64_t, 2>, InheritedSettings::kLimits> limits;  // soft, hard
};

struct StartRoot {
  uint64_t inode;
  uint64_t mount;
};

inline constexpr size_t kMostStartRoots = 4096;
inline constexpr uint64_t kMostBodyBytes = uint64_t{256} * 1024 * 1024;  // far above what execve takes

// --- a channel: the reply ---

// Beside it the pidfd of the child, if there is one.
struct StartReply {
  uint32_t magic;
  int32_t refused;  // errno: there was no clone, or it failed
  pid_t pid;        // -1: no child
  int32_t failed_errno;
  SpawnStage failed_stage;  // with kNone the child runs the command
  ConfineStep failed_step;
  Limit failed_limit;
  uint8_t reserved;
};

}  // namespace quiesce

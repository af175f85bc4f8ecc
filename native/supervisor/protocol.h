// What the host and the supervisor of one command say to each other: one datagram of a SOCK_SEQPACKET pair each, and
// the descriptors and arguments that the supervisor is started with. Both are built together, so there is no version.
//
//   quiesce-supervisor supervise|supervise-terminal end|leave OOM-SCORE COUNT CANDIDATE... ARGV...
//   quiesce-supervisor probe                a command that leaves an orphan behind
#pragma once

#include <cstdint>

namespace quiesce::supervisor {

// The streams of the command and what else it inherits are below.
inline constexpr int kChannelDescriptor = 9;
inline constexpr int kHostDescriptor = 10;      // a pidfd of the host
inline constexpr int kChildrenDescriptor = 11;  // the supervisor's own /proc/PID/task/TID/children; may be missing
inline constexpr int kOomScoreDescriptor = 12;  // its own /proc/PID/oom_score_adj, for writing; may be missing

inline constexpr const char* kSupervise = "supervise";
// The standard input of the command becomes its controlling terminal.
inline constexpr const char* kSuperviseTerminal = "supervise-terminal";
inline constexpr const char* kProbe = "probe";
// What becomes of the command when the host is gone.
inline constexpr const char* kEndOnHostCrash = "end";
inline constexpr const char* kLeaveOnHostCrash = "leave";

enum class ReportKind : int32_t {
  kStarted = 1,  // pid; a pidfd of the command comes with it
  kFailed = 2,   // step and error; the supervisor ends
  kEnded = 3,    // the direct command: status, usage, and whether nobody is left
  kEmpty = 4     // nobody is left; the supervisor ends
};

enum class FailedStep : int32_t { kNone = 0, kSupervision = 1, kClone = 2, kExec = 3, kTerminal = 4 };

struct Report {
  ReportKind kind = ReportKind::kStarted;
  int32_t pid = 0;
  FailedStep step = FailedStep::kNone;
  int32_t error = 0;
  int32_t status = 0;  // as wait4 tells it
  int32_t empty = 0;
  int64_t user_us = 0;
  int64_t system_us = 0;
  int64_t max_rss_kib = 0;
};
static_assert(sizeof(Report) == 48);

// SIGKILL: to everybody, until nobody is left. Any other is followed by SIGCONT.
struct Order {
  int32_t signal_number = 0;
};

}  // namespace quiesce::supervisor

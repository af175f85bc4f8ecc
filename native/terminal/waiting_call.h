// What a thread that sleeps in a system call may be waiting for: the text of /proc/PID/task/TID/syscall, and the memory
// of the process that the call points into.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace quiesce {

struct WaitingCall {
  int64_t number = -1;
  std::array<uint64_t, 6> arguments{};
};

// Nothing for a thread that runs, is in no system call, or a text that is none.
std::optional<WaitingCall> ParseWaitingCall(std::string_view text);

// The descriptors that `call` of a thread of `process` waits to read from. Empty for a call that waits for something
// else, for a process whose memory may not be read, and on processors other than x86_64 and aarch64.
std::vector<int> DescriptorsWaitedFor(pid_t process, const WaitingCall& call);

// The descriptors in an epoll instance that are watched for reading: the text of its /proc/PID/fdinfo/FD.
std::vector<int> ParseEpollTargets(std::string_view text);

}  // namespace quiesce

// What a host tells its guardian, each thing in one message of a SOCK_SEQPACKET socket: a letter, a text, descriptors.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "os/result.h"
#include "os/unique_fd.h"

namespace quiesce {

enum class GuardianMessageKind : char {
  kHost = 'h',         // a pidfd of the host; first of all, and without it the socket alone tells the host's end
  kFolder = 'f',       // the name of a cgroup folder, with the folder above it and the folder itself
  kSpillFolder = 's',  // the absolute path of a folder of spill files, which need not exist
};

struct GuardianMessage {
  GuardianMessageKind kind;
  std::string text;
  std::vector<UniqueFd> descriptors;
};

// Never waits and raises no SIGPIPE. The descriptors are borrowed.
[[nodiscard]] Status SendToGuardian(int socket, GuardianMessageKind kind, std::string_view text,
                                    std::span<const int> descriptors);

// Never waits: EAGAIN when nothing has come yet, ENODATA when nothing can come any more, EPROTO for what is no message,
// EMFILE when descriptors were lost for want of room in this process.
Result<GuardianMessage> ReceiveFromHost(int socket);

}  // namespace quiesce

// execvp's rules for a list of files to try, for whoever executes a command: a child of the host, or its supervisor. No
// call of libc: the one has the host's memory, the other has no libc.
#pragma once

#include <cerrno>

#include "spawn/in_child.h"

namespace quiesce {

// A candidate that is not there is passed over, one that may not be executed is remembered. `execute(file, argv)` gives
// the error of an execve; returns the one to tell. `shell_argv` is `/bin/sh FILE ARG...`, for a text file without an
// interpreter line; FILE is written into it.
template <typename Execute>
QUIESCE_IN_CHILD int TryCandidates(char* const* candidates, char* const* argv, char** shell_argv, Execute execute) {
  bool refused = false;
  int error = ENOENT;
  for (char* const* candidate = candidates; *candidate != nullptr; ++candidate) {
    error = execute(*candidate, argv);
    if (error == ENOEXEC) {
      shell_argv[1] = *candidate;
      return execute(shell_argv[0], shell_argv);
    }
    if (error == EACCES) {
      refused = true;
    } else if (error != ENOENT && error != ENOTDIR && error != ESTALE && error != ENODEV && error != ETIMEDOUT) {
      return error;
    }
  }
  return refused ? EACCES : error;
}

}  // namespace quiesce

// Starts a thread of the core: named for debuggers, with every signal blocked, so that none of the host's handlers runs
// on it and a write to a closed pipe gives EPIPE whatever the host does with SIGPIPE.
#pragma once

#include <pthread.h>

#include <system_error>
#include <thread>
#include <utility>

#include "os/result.h"
#include "os/signals.h"

namespace quiesce {

// `name` has at most 15 characters (TASK_COMM_LEN). The thread inherits the mask that is set around its creation.
template <typename Body>
Status StartThread(std::thread* thread, const char* name, Body body) {
  AllSignalsBlocked blocked;
  try {
    *thread = std::thread([name, body = std::move(body)]() mutable {
      (void)pthread_setname_np(pthread_self(), name);  // only cosmetic
      body();
    });
  } catch (const std::system_error& error) {
    return SysError{error.code().value(), "pthread_create", {}};
  }
  return {};
}

}  // namespace quiesce

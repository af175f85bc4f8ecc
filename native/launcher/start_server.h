// Makes the starts that the host asks for: one thread for each channel, since a clone holds its thread until the
// child's execve, and one that hangs (a dead network disk) must hold up no other.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <array>
#include <atomic>
#include <mutex>
#include <shared_mutex>

#include "os/result.h"
#include "os/unique_fd.h"
#include "spawn/child.h"
#include "spawn/child_stack.h"

namespace quiesce {

class StartServer {
 public:
  // Children are made for `host`, the parent of this process, and for nobody else.
  explicit StartServer(pid_t host);
  StartServer(const StartServer&) = delete;
  StartServer& operator=(const StartServer&) = delete;
  // Never destroyed: its threads end with the process.
  ~StartServer() = delete;

  // Serves `socket` until its end. `word` is where the kernel stores the pid of each child; it outlives the server.
  [[nodiscard]] Status AddChannel(UniqueFd socket, pid_t* word);

  // No start begins after this.
  void Stop() { stopped_.store(true); }
  // After Stop: waits until those that had begun are made.
  void WaitForStarts() { const std::unique_lock lock(starting_); }

 private:
  void Serve(int socket, pid_t* word, const ChildStack& stack);

  const pid_t host_;
  std::array<rlimit, InheritedSettings::kLimits> limits_{};
  std::atomic<bool> stopped_{false};
  std::shared_mutex starting_;  // shared by the starts under way
};

}  // namespace quiesce

// The host's side of one launcher: starts through it, and knowing when it is of no use any more. It is a child of this
// process, and so is everything that it starts. Any thread.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "os/clock.h"
#include "os/result.h"
#include "os/unique_fd.h"
#include "scope/host_settings.h"
#include "scope/launcher_start.h"
#include "spawn/child.h"
#include "spawn/clone.h"

namespace quiesce {

class Launcher {
 public:
  // As StartLauncher.
  static Result<std::unique_ptr<Launcher>> Start(const LauncherOptions& options);

  Launcher(const Launcher&) = delete;
  Launcher& operator=(const Launcher&) = delete;
  ~Launcher() { End(); }

  [[nodiscard]] const std::string& unit() const { return started_.unit; }

  // Whether it can be asked: it lives, nobody has given it up, and it is who this process is.
  [[nodiscard]] bool IsUsable() const;
  [[nodiscard]] bool IsAlive() const;

  // The folder of the commands, once.
  UniqueFd TakeRun() { return std::move(started_.run); }

  // Has the child made, in `folder` (borrowed), and returns when it has called execve or exited, as Launch does. Waits
  // for as long as the launcher answers at all. ECONNRESET: the launcher has ended. `unreported` is then the pid of a
  // child of this process that nobody else knows of, or 0: it must be ended and reaped. EMFILE likewise.
  Result<ClonedChild> StartChild(ChildPlan* plan, int folder, pid_t* unreported);

  // What it is to do when this process ends suddenly: ControlKind in launcher/protocol.h. A launcher that cannot take
  // it is given up.
  void Tell(ControlKind kind, std::string_view path, int fd = -1, uint32_t value = 0);

  // Nobody asks it any more; what it has started runs on.
  void GiveUp();

  // Lets go of it in good order: it ends and removes what is left in its scope, and is reaped. Blocks until then, for a
  // second or two at most. No start may be under way. Idempotent.
  void End();

 private:
  struct Channel {
    UniqueFd socket;
    unsigned number = 0;
  };
  struct Reply;

  explicit Launcher(StartedLauncher started) : started_(std::move(started)), ids_(ReadHostIds()) {}

  Result<Channel> TakeChannel();
  Result<Channel> MakeChannel();
  void PutBack(Channel channel);
  Status AwaitReply(int socket, Reply* reply);
  [[nodiscard]] bool Answers();
  [[nodiscard]] bool AwaitEnd(std::chrono::milliseconds patience) const;
  void Reap();

  StartedLauncher started_;
  const HostIds ids_;
  std::atomic<bool> given_up_{false};
  std::mutex control_mutex_;
  uint32_t last_ping_ = 0;
  std::mutex channels_mutex_;
  std::vector<Channel> idle_;
  unsigned channel_count_ = 0;
  bool ended_ = false;
};

}  // namespace quiesce

// Watches over the host: hears what it says beside the starts, and when it is gone, whatever ended it, ends what it
// left running and removes what it left lying.
#pragma once

#include <string>
#include <vector>

#include "launcher/delegated_scope.h"
#include "launcher/protocol.h"
#include "launcher/start_server.h"
#include "os/unique_fd.h"

namespace quiesce {

class Guard {
 public:
  struct Watched {
    UniqueFd host;  // a pidfd: a fork of the host may keep the socket open
    UniqueFd control;
  };

  // `server` and `page` are borrowed and outlive the guard. With `leave` the commands go on without their host.
  Guard(Watched watched, DelegatedScope scope, StartServer* server, LauncherPage* page, bool leave)
      : watched_(std::move(watched)), scope_(std::move(scope)), server_(server), page_(page), leave_(leave) {}

  // Returns when the host is gone and the scope holds nothing but this process.
  void Run();

 private:
  // Whether the host still holds the other end.
  bool HearHost();
  void End();
  void EndRun();

  Watched watched_;
  DelegatedScope scope_;
  StartServer* const server_;
  LauncherPage* const page_;
  const bool leave_;
  std::vector<CgroupFolder> adopted_;
  std::vector<std::string> spill_folders_;
};

}  // namespace quiesce

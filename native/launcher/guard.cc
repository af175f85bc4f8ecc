#include "launcher/guard.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>

#include "launcher/control_message.h"
#include "os/sys.h"
#include "output/spill_leftovers.h"

namespace quiesce {

namespace {

// A folder is busy until the kernel has taken its last process apart.
constexpr int kEndAttempts = 20000;
constexpr std::chrono::microseconds kEndPause{500};

}  // namespace

void Guard::Run() {
  std::array<pollfd, 2> watched{pollfd{watched_.host.get(), POLLIN, 0}, pollfd{watched_.control.get(), POLLIN, 0}};
  while (true) {
    if (sys::RetryInterrupted([&] { return poll(watched.data(), watched.size(), -1); }) == -1) break;
    if (watched[0].revents != 0) break;
    if (watched[1].revents != 0 && !HearHost()) break;
  }
  End();
}

bool Guard::HearHost() {
  const int control = watched_.control.get();
  auto received = ReceiveControl(control, MSG_DONTWAIT);
  if (!received.ok()) {
    const int error = received.error().number;
    return error == EAGAIN || error == EMFILE || error == EPROTO;
  }
  ControlMessage& message = received.value();
  switch (message.kind) {
    case ControlKind::kChannel:
      // Without a thread the channel is closed, which tells the host.
      (void)server_->AddChannel(std::move(message.fd), &page_->pids[message.value]);
      break;
    case ControlKind::kPing:
      return SendControl(control, ControlKind::kPong, message.value).ok();
    case ControlKind::kAdopt:
      // A folder that is gone by now has nothing to be ended.
      if (auto folder = CgroupFolder::Adopt(std::move(message.fd), "run"); folder.ok()) {
        adopted_.push_back(std::move(folder.value()));
      }
      break;
    case ControlKind::kRemove:
      spill_folders_.push_back(std::move(message.path));
      break;
    default:
      break;
  }
  return true;
}

void Guard::End() {
  server_->Stop();
  if (leave_) return;
  for (CgroupFolder& folder : adopted_) folder.KillMembers();  // its own systemd scope removes it
  EndRun();
  for (const std::string& path : spill_folders_) RemoveSpillLeftovers(path.c_str());
  // What was just being started when the host ended has slipped through, and must not survive it.
  server_->WaitForStarts();
  EndRun();
  (void)scope_.run.Remove();  // systemd removes the whole scope when this process is gone
}

void Guard::EndRun() {
  for (int attempt = 0; attempt < kEndAttempts; ++attempt) {
    scope_.run.KillMembers();
    if (scope_.run.RemoveNested().ok()) return;
    std::this_thread::sleep_for(kEndPause);
  }
}

}  // namespace quiesce

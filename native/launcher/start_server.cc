#include "launcher/start_server.h"

#include <unistd.h>

#include <cerrno>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "launcher/received_start.h"
#include "launcher/start_reply.h"
#include "os/message.h"
#include "os/thread.h"
#include "spawn/launch.h"

namespace quiesce {

StartServer::StartServer(pid_t host) : host_(host) {
  for (unsigned number = 0; number < limits_.size(); ++number) {
    (void)getrlimit(static_cast<decltype(RLIMIT_CPU)>(number), &limits_[number]);  // all are known
  }
}

Status StartServer::AddChannel(UniqueFd socket, pid_t* word) {
  auto stack = ChildStack::Create();
  if (!stack.ok()) return stack.error();
  auto shared = std::make_shared<ChildStack>(std::move(stack.value()));
  auto end = std::make_shared<UniqueFd>(std::move(socket));
  std::thread thread;
  Status started =
      StartThread(&thread, "quiesce-channel", [this, shared, end, word] { Serve(end->get(), word, *shared); });
  if (started.ok()) thread.detach();
  return started;
}

void StartServer::Serve(int socket, pid_t* word, const ChildStack& stack) {
  std::vector<char> buffer(kMostMessageBytes);
  while (true) {
    auto message = ReceiveMessage(socket, buffer, 0);
    if (!message.ok()) {
      const int error = message.error().number;
      if (error != EMFILE && error != EPROTO) return;  // the host has closed the channel, or is gone
      if (!SendRefusal(socket, error).ok()) return;
      continue;
    }
    auto start = ReceivedStart::Decode(std::span(buffer).first(message.value().size), std::move(message.value().fds));
    if (!start.ok()) {
      if (!SendRefusal(socket, start.error().number).ok()) return;
      continue;
    }
    start.value()->LeaveOutLimits(limits_);
    ChildPlan* const plan = start.value()->plan();
    const std::shared_lock lock(starting_);
    // What a host that is gone asked for last would be a child of somebody else.
    if (stopped_.load() || getppid() != host_) return;
    auto child = Launch(plan, ChildPlace{start.value()->folder(), word}, stack);
    const Status told =
        child.ok() ? SendStarted(socket, child.value(), *plan) : SendRefusal(socket, child.error().number);
    if (!told.ok()) return;
  }
}

}  // namespace quiesce

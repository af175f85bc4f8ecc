// A process of its own over each command, the parent of every orphan below it: holds everything that the command starts
// but what kills the supervisor itself. The command is the supervisor's child, so all that is known of it comes as
// reports. Who kills the supervisor ends the command with it; what has left its process group by then is lost, which is
// told as an error.
#pragma once

#include <csignal>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "os/epoll.h"
#include "range/group_range.h"
#include "range/range.h"
#include "range/supervisor_channel.h"
#include "range/supervisor_program.h"

namespace quiesce {

class SupervisorRange : public Range {
 public:
  explicit SupervisorRange(std::shared_ptr<const SupervisorProgram> program) : program_(std::move(program)) {}

  [[nodiscard]] RangeKind kind() const override { return RangeKind::kSupervisor; }
  Result<ClonedChild> Start(ChildPlan* plan, const ChildStack& stack) override;
  [[nodiscard]] bool shares_memory() const override { return false; }
  void Started(pid_t /*pid*/, int /*pidfd*/) override {}
  [[nodiscard]] int exit_fd() const override { return events_->fd(); }
  std::optional<ExitFacts> TakeExit() override;
  void SignalAll(int signal_number) override;
  void KillAll() override { SignalAll(SIGKILL); }
  // ESRCH of "supervisor", once: it was killed.
  Result<bool> IsEmpty() override;
  [[nodiscard]] RangeWatch watch() const override;

 private:
  [[nodiscard]] Status Open(UniqueFd* channel);
  void EndStart();
  void Listen();
  void Take(const supervisor::Report& report);
  bool HasSupervisorEnded();
  void Lose();

  const std::shared_ptr<const SupervisorProgram> program_;
  std::optional<SupervisorChannel> channel_;
  std::optional<Epoll> events_;  // the channel, and the end of whoever is waited for
  UniqueFd supervisor_;          // pidfd
  UniqueFd command_;             // pidfd
  pid_t pid_ = -1;               // of the command
  std::optional<ExitFacts> exit_;
  bool hears_ = true;  // another report may come
  bool empty_ = false;
  bool supervisor_ended_ = false;
  bool lost_ = false;  // it ended before everybody else had
  bool loss_told_ = false;
  GroupRange group_;  // what is left to act on then
};

class SupervisorRangeSource : public RangeSource {
 public:
  // `path` is the program quiesce-supervisor. Nothing is opened before the first Acquire.
  SupervisorRangeSource(std::string path, HostCrash host_crash) : path_(std::move(path)), host_crash_(host_crash) {}

  Result<std::unique_ptr<Range>> Acquire() override;
  void Release(std::unique_ptr<Range> range) override { range.reset(); }
  void Close() override;

 private:
  const std::string path_;
  const HostCrash host_crash_;
  std::mutex mutex_;
  std::shared_ptr<const SupervisorProgram> program_;
};

}  // namespace quiesce

#include "reactor/guardian.h"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "guardian/message.h"
#include "os/sys.h"
#include "spawn/child.h"
#include "spawn/exec_image.h"
#include "spawn/launch.h"

namespace quiesce {

namespace {

constexpr int kSocketInChild = STDERR_FILENO + 1;
// One that is killed again and again, or cannot be started, must not take the time of the commands.
constexpr std::chrono::milliseconds kRestartPause{50};
constexpr std::chrono::milliseconds kFailurePause{1000};
constexpr int kEndPatienceMs = 1000;

struct Sockets {
  UniqueFd host;
  UniqueFd guardian;
};

Result<Sockets> MakeSockets() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) == -1) {
    return SysError{errno, "socketpair", {}};
  }
  Sockets sockets{UniqueFd(ends[0]), UniqueFd(ends[1])};
  // Above the number that it gets in the child, since it is duplicated from there.
  const int above = fcntl(sockets.guardian.get(), F_DUPFD_CLOEXEC, kFirstFreeDescriptor);
  if (above == -1) return SysError{errno, "fcntl", {}};
  sockets.guardian.Reset(above);
  return sockets;
}

// In the folder and the cgroup of the host, with nothing of its own but the socket.
Result<ClonedChild> LaunchProgram(const std::string& program, int socket, int null_device, const ChildStack& stack) {
  StringBlock argv;
  for (const std::string& word : {program, std::string("guard"), std::to_string(kSocketInChild)}) argv.Add(word);
  StringBlock environment;
  ExecImage image(argv, environment);
  ChildPlan plan;
  plan.argv = image.argv();
  plan.environment = image.environment();
  plan.candidates = image.candidates();
  plan.shell_argv = image.shell_argv();
  plan.cwd = "/";
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    plan.descriptors[plan.descriptor_count++] = {null_device, stream};
  }
  plan.descriptors[plan.descriptor_count++] = {socket, kSocketInChild};
  plan.closings[plan.closing_count++] = {kSocketInChild + 1, ~0U};
  auto child = Launch(&plan, -1, stack);
  if (!child.ok() || plan.failed_stage == SpawnStage::kNone) return child;
  siginfo_t info{};
  (void)sys::WaitPidfd(child.value().pidfd.get(), &info, WEXITED, nullptr);  // it has exited; this only reaps it
  return SysError{plan.failed_errno, "execve", program};
}

}  // namespace

// One guardian process. The reactor keeps it until the end of the process has been seen, or is not wanted any more.
class Guardian::Watcher : public EventHandler, public std::enable_shared_from_this<Guardian::Watcher> {
 public:
  Watcher(Engine* engine, UniqueFd pidfd, std::weak_ptr<Guardian> guardian)
      : engine_(engine), pidfd_(std::move(pidfd)), guardian_(std::move(guardian)) {}

  [[nodiscard]] int pidfd() const { return pidfd_.get(); }

  // Any thread, while the engine is there.
  void Watch() {
    engine_->loop->Post([self = shared_from_this()] {
      auto watch = self->engine_->loop->Watch(self->pidfd_.get(), EPOLLIN, self, 0);
      if (watch.ok()) self->watch_ = watch.value();  // else its end goes unnoticed until the runtime ends
    });
  }
  void Unwatch() {
    engine_->loop->Post([self = shared_from_this()] { self->engine_->loop->Unwatch(self->watch_); });
  }

  void OnReady(int /*tag*/) override {
    siginfo_t end{};
    const auto self = shared_from_this();  // the loop lets go of it
    engine_->loop->Unwatch(watch_);
    // ECHILD: somebody else reaps every child of this process.
    (void)sys::WaitPidfd(pidfd_.get(), &end, WEXITED | WNOHANG, nullptr);
    if (const auto guardian = guardian_.lock()) guardian->OnEnd(engine_, this, end);
  }
  void OnTimer(int /*tag*/) override {}

 private:
  Engine* const engine_;
  const UniqueFd pidfd_;
  const std::weak_ptr<Guardian> guardian_;
  uint64_t watch_ = 0;  // reactor thread
};

void Guardian::Tend(Engine* engine, const ChildStack& stack) {
  const std::lock_guard lock(mutex_);
  if (retired_) return;
  if (watcher_ == nullptr) {
    if (Clock::now() < next_start_) return;
    next_start_ = Clock::now() + kRestartPause;
    if (Status started = Start(engine, stack); !started.ok()) return Fail(engine, started.error());
  } else if (wanted()) {
    // One that does not take the message is about to be noticed as gone, or is stopped and no use.
    (void)TellFolder();
  }
  lost_.store(false);
}

void Guardian::TendSpillFolder(Engine* engine) {
  auto stack = ChildStack::Create();
  if (stack.ok()) Tend(engine, stack.value());  // without memory for it nobody guards, as without a process
}

Status Guardian::Start(Engine* engine, const ChildStack& stack) {
  if (program_.empty()) return SysError{ENOENT, "execve", {}};
  auto sockets = MakeSockets();
  if (!sockets.ok()) return sockets.error();
  socket_ = std::move(sockets.value().host);
  // Told before it is there, so that it knows everything from its first instruction on.
  const UniqueFd host(sys::PidfdOpen(getpid()));
  const int descriptors[] = {host.get()};
  Status told =
      SendToGuardian(socket_.get(), GuardianMessageKind::kHost, {}, std::span(descriptors).first(host.valid() ? 1 : 0));
  if (told.ok()) told = TellFolder();
  if (told.ok()) told = SendToGuardian(socket_.get(), GuardianMessageKind::kSpillFolder, spill_folder_->path(), {});
  if (!told.ok()) return told;
  auto child = LaunchProgram(program_, sockets.value().guardian.get(), engine->null_device.get(), stack);
  if (!child.ok()) return child.error();
  watcher_ = std::make_shared<Watcher>(engine, std::move(child.value().pidfd), weak_from_this());
  watcher_->Watch();
  return {};
}

Status Guardian::TellFolder() {
  const unsigned version = ranges_->held_version();
  if (version == 0) return {};
  auto held = ranges_->Held();
  if (!held.has_value()) return SysError{EMFILE, "fcntl", {}};
  told_version_.store(version);
  const int descriptors[] = {held->parent.get(), held->folder.get()};
  return SendToGuardian(socket_.get(), GuardianMessageKind::kFolder, held->name, descriptors);
}

// The next command tries again.
void Guardian::Fail(Engine* engine, const SysError& error) {
  socket_.Reset();
  lost_.store(true);
  next_start_ = Clock::now() + kFailurePause;
  engine->loop->Post([report = report_, error] { report(error); });
}

void Guardian::OnEnd(Engine* engine, const Watcher* ended, const siginfo_t& end) {
  const std::lock_guard lock(mutex_);
  if (retired_ || watcher_.get() != ended) return;
  watcher_.reset();
  socket_.Reset();
  lost_.store(true);
  if (end.si_code == CLD_EXITED) return Fail(engine, SysError{0, "guard", program_});
  // Where this cannot be submitted the next command does it.
  (void)engine->spawners.Submit(
      [self = shared_from_this(), engine](const ChildStack& stack) { self->Tend(engine, stack); });
}

void Guardian::Retire() {
  const std::lock_guard lock(mutex_);
  retired_ = true;
  if (watcher_ != nullptr) watcher_->Unwatch();
}

// Everything has been removed, so it may as well be killed. After a change of user ids it cannot be: then it sees that
// its socket has ended and that there is nothing left to guard.
void Guardian::Dismiss() {
  const std::lock_guard lock(mutex_);
  if (watcher_ == nullptr) return;
  const int pidfd = watcher_->pidfd();
  (void)sys::PidfdSendSignal(pidfd, SIGKILL);
  socket_.Reset();
  pollfd entry{pidfd, POLLIN, 0};
  (void)sys::RetryInterrupted([&] { return poll(&entry, 1, kEndPatienceMs); });
  siginfo_t info{};
  (void)sys::WaitPidfd(pidfd, &info, WEXITED | WNOHANG, nullptr);  // ECHILD: the reactor, or somebody else, was first
  watcher_.reset();
}

}  // namespace quiesce

#include "scope/launcher.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

#include "launcher/control_message.h"
#include "launcher/start_reply.h"
#include "launcher/start_request.h"
#include "os/file.h"
#include "os/sys.h"

namespace quiesce {

namespace {

// A start may take for ever (an execve from a dead network disk) without fault of the launcher. One that does not
// answer either is stopped, frozen or broken.
constexpr int kReplyPatienceMs = 2000;
constexpr std::chrono::milliseconds kPongPatience{3000};
constexpr std::chrono::milliseconds kEndPatience{1000};

SysError Gone() { return {ECONNRESET, "launcher", {}}; }

}  // namespace

struct Launcher::Reply {
  StartReply facts{};
  UniqueFd pidfd;
};

Result<std::unique_ptr<Launcher>> Launcher::Start(const LauncherOptions& options) {
  auto started = StartLauncher(options);
  if (!started.ok()) return started.error();
  std::unique_ptr<Launcher> launcher(new Launcher(std::move(started.value())));
  auto first = launcher->MakeChannel();
  if (!first.ok()) return first.error();
  launcher->PutBack(std::move(first.value()));
  return launcher;
}

bool Launcher::IsAlive() const { return !AwaitEnd(std::chrono::milliseconds(0)); }

bool Launcher::IsUsable() const { return !given_up_.load() && IsAlive() && ids_ == ReadHostIds(); }

bool Launcher::AwaitEnd(std::chrono::milliseconds patience) const {
  pollfd watched{started_.pidfd.get(), POLLIN, 0};
  return sys::RetryInterrupted([&] { return poll(&watched, 1, static_cast<int>(patience.count())); }) > 0;
}

Result<Launcher::Channel> Launcher::MakeChannel() {
  std::array<int, 2> pair{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair.data()) == -1) {
    return SysError{errno, "socketpair", {}};
  }
  Channel channel{UniqueFd(pair[0]), 0};
  const UniqueFd other(pair[1]);
  if (Status set = SetNonBlocking(channel.socket.get()); !set.ok()) return set.error();
  {
    const std::lock_guard lock(channels_mutex_);
    if (channel_count_ == kMostChannels) return SysError{EAGAIN, "socketpair", {}};
    channel.number = channel_count_++;
  }
  Tell(ControlKind::kChannel, {}, other.get(), channel.number);
  return channel;
}

Result<Launcher::Channel> Launcher::TakeChannel() {
  {
    const std::lock_guard lock(channels_mutex_);
    if (!idle_.empty()) {
      Channel channel = std::move(idle_.back());
      idle_.pop_back();
      return channel;
    }
  }
  return MakeChannel();
}

void Launcher::PutBack(Channel channel) {
  const std::lock_guard lock(channels_mutex_);
  idle_.push_back(std::move(channel));
}

Result<ClonedChild> Launcher::StartChild(ChildPlan* plan, int folder, pid_t* unreported) {
  *unreported = 0;
  auto channel = TakeChannel();
  if (!channel.ok()) return channel.error();
  std::atomic_ref<pid_t> word(started_.page->pids[channel.value().number]);
  word.store(0);
  const InheritedSettings settings = ReadHostSettings();
  plan->settings = &settings;
  const Status sent = SendStart(channel.value().socket.get(), *plan, folder);
  plan->settings = nullptr;
  if (!sent.ok() && sent.error().number != EPIPE && sent.error().number != ECONNRESET) {
    PutBack(std::move(channel.value()));
    return sent.error();
  }
  Reply reply;
  if (!sent.ok() || !AwaitReply(channel.value().socket.get(), &reply).ok()) {
    GiveUp();
    // Only a launcher that has ended stores nothing any more.
    (void)sys::PidfdSendSignal(started_.pidfd.get(), SIGKILL);
    (void)AwaitEnd(kEndPatience);
    *unreported = word.load();
    return Gone();
  }
  PutBack(std::move(channel.value()));
  if (reply.facts.refused != 0) return SysError{reply.facts.refused, "clone3", {}};
  plan->failed_errno = reply.facts.failed_errno;
  plan->failed_step = reply.facts.failed_step;
  plan->failed_limit = reply.facts.failed_limit;
  plan->failed_stage = reply.facts.failed_stage;
  if (!reply.pidfd.valid()) {
    *unreported = reply.facts.pid;
    return SysError{EMFILE, "recvmsg", {}};
  }
  return ClonedChild{reply.facts.pid, std::move(reply.pidfd)};
}

Status Launcher::AwaitReply(int socket, Reply* reply) {
  bool reset = false;
  while (true) {
    std::array<pollfd, 2> watched{pollfd{socket, POLLIN, 0}, pollfd{started_.pidfd.get(), POLLIN, 0}};
    const auto wait = [&] { return poll(watched.data(), watched.size(), kReplyPatienceMs); };
    if (sys::RetryInterrupted(wait) <= 0) {
      if (!Answers()) return Gone();
      continue;
    }
    auto received = ReceiveReply(socket);
    if (received.ok()) {
      reply->facts = received.value().facts;
      reply->pidfd = std::move(received.value().pidfd);
      return {};
    }
    const int error = received.error().number;
    // A launcher that has ended with requests unread says so once; replies that it has sent come after that.
    const bool again = error == ECONNRESET && !std::exchange(reset, true);
    const bool nothing_yet = error == EAGAIN && watched[1].revents == 0;
    if (!again && !nothing_yet) return Gone();
  }
}

bool Launcher::Answers() {
  const std::lock_guard lock(control_mutex_);
  const uint32_t ping = ++last_ping_;
  if (!SendControl(started_.control.get(), ControlKind::kPing, ping).ok()) return false;
  const TimePoint latest = Clock::now() + kPongPatience;
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(latest - Clock::now()).count();
    pollfd watched{started_.control.get(), POLLIN, 0};
    if (poll(&watched, 1, static_cast<int>(std::max<decltype(left)>(left, 0))) <= 0) {
      if (Clock::now() >= latest) return false;
      continue;
    }
    auto pong = ReceiveControl(started_.control.get(), MSG_DONTWAIT);
    if (!pong.ok()) return false;
    if (pong.value().kind == ControlKind::kPong && pong.value().value == ping) return true;
  }
}

void Launcher::Tell(ControlKind kind, std::string_view path, int fd, uint32_t value) {
  const std::lock_guard lock(control_mutex_);
  if (!SendControl(started_.control.get(), kind, value, path, fd).ok()) GiveUp();
}

void Launcher::GiveUp() { given_up_.store(true); }

void Launcher::Reap() {
  siginfo_t info{};
  (void)sys::WaitPidfd(started_.pidfd.get(), &info, WEXITED | WNOHANG, nullptr);  // ECHILD: the host ignores SIGCHLD
}

void Launcher::End() {
  if (std::exchange(ended_, true)) return;
  GiveUp();
  started_.control.Reset();
  idle_.clear();
  if (!AwaitEnd(kEndPatience)) {
    (void)sys::PidfdSendSignal(started_.pidfd.get(), SIGKILL);
    (void)AwaitEnd(kEndPatience);
  }
  Reap();
}

}  // namespace quiesce

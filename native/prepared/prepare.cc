#include "prepared/prepare.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <string_view>

#include "os/file.h"
#include "os/sys.h"
#include "spawn/spawn.h"

namespace quiesce {

namespace {

// A program that has answered, or was killed, ends at once; only a dead disk holds it longer.
constexpr std::chrono::milliseconds kExitPatience{1000};
constexpr size_t kMostText = 4096;

// The host's ends.
struct Channels {
  UniqueFd reply;
  UniqueFd text;
};

Result<Channels> MakeChannels(SpawnRequest* request) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) == -1)
    return SysError{errno, "socketpair", {}};
  Channels channels{UniqueFd(ends[0]), {}};
  request->control.Reset(ends[1]);
  auto pipe = MakePipe();
  if (!pipe.ok()) return pipe.error();
  channels.text = std::move(pipe.value().reader);
  if (Status set = SetNonBlocking(channels.text.get()); !set.ok()) return set.error();
  request->error.mode = StreamMode::kDescriptor;
  request->error.descriptor = std::move(pipe.value().writer);
  return channels;
}

// The program, `prepare`, the options, and where the answer is to go.
StringBlock CommandOf(const std::string& key) {
  const size_t options = key.find('\0') + 1;
  StringBlock command(key.substr(0, options));
  command.Add("prepare");
  for (size_t at = options; at < key.size(); at = key.find('\0', at) + 1) command.Add(key.c_str() + at);
  command.Add("--");
  command.Add(std::to_string(kControlDescriptor));
  return command;
}

bool WaitUntil(int fd, TimePoint latest) {
  pollfd waited{fd, POLLIN, 0};
  const auto ready = [&] {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(latest - Clock::now()).count();
    return poll(&waited, 1, static_cast<int>(std::max<decltype(left)>(left, 0)));
  };
  return sys::RetryInterrupted(ready) > 0;
}

// The program leads a session of its own, so its helpers go with it.
void End(const ClonedChild& child, bool kill_it) {
  if (kill_it) (void)kill(-child.pid, SIGKILL);
  if (!WaitUntil(child.pidfd.get(), Clock::now() + kExitPatience)) (void)kill(-child.pid, SIGKILL);
  siginfo_t info{};
  const int options = WaitUntil(child.pidfd.get(), Clock::now() + kExitPatience) ? WEXITED : WEXITED | WNOHANG;
  (void)sys::WaitPidfd(child.pidfd.get(), &info, options, nullptr);  // the answer tells more than the status
}

std::string FirstLine(int fd) {
  std::array<char, kMostText> buffer{};
  const ssize_t size = sys::Read(fd, buffer.data(), buffer.size());
  const std::string_view text(buffer.data(), size > 0 ? static_cast<size_t>(size) : 0);
  return std::string(text.substr(0, text.find('\n')));
}

}  // namespace

SpawnFailure PreparationFailure(int error, std::string text) {
  return {SpawnStage::kSandbox, error, std::move(text), "preparation"};
}

Prepared Prepare(PolicyOrder order, int null_device, const ChildStack& stack, TimePoint latest) {
  auto view = ReadHostView(order);
  if (!view.ok()) return PreparationFailure(view.error().number, view.error().path);
  SpawnRequest request;
  request.argv = CommandOf(order.key);
  request.cwd.push_back('/');  // an assignment makes GCC 12 warn of a copy that cannot be
  auto channels = MakeChannels(&request);
  if (!channels.ok()) return PreparationFailure(channels.error().number);
  DirectStarter starter;
  auto spawned = Spawn(&request, &starter, null_device, stack);
  if (const auto* failure = std::get_if<SpawnFailure>(&spawned)) {
    return PreparationFailure(failure->error, order.key.c_str());
  }
  const bool answered = WaitUntil(channels.value().reply.get(), latest);
  auto reply = ReadReply(channels.value().reply.get());
  End(std::get<Spawned>(spawned).child, !answered);
  if (!answered) return PreparationFailure(ETIMEDOUT);
  if (!reply.ok()) {
    // The program says in words what it could not do.
    const int error = reply.error().number == ENODATA ? ENOTSUP : reply.error().number;
    return PreparationFailure(error, FirstLine(channels.value().text.get()));
  }
  auto policy = PreparedPolicy::Assemble(std::move(order), std::move(view.value()), std::move(reply.value()));
  if (!policy.ok()) return PreparationFailure(policy.error().number);
  return std::move(policy.value());
}

}  // namespace quiesce

#include "runner/launch_command.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "launcher/control_message.h"
#include "launcher/delegated_scope.h"
#include "launcher/guard.h"
#include "launcher/protocol.h"
#include "launcher/start_server.h"
#include "os/sys.h"
#include "os/unique_fd.h"
#include "runner/report.h"

namespace quiesce {

namespace {

constexpr int kSignalCount = 64;

struct LaunchOptions {
  bool leave = false;
  int socket = -1;
  int page = -1;
  std::string unit;
};

// -1 if it is none above the streams.
int DescriptorOf(std::string_view text) {
  int fd = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), fd);
  return error == std::errc() && end == text.data() + text.size() && fd > STDERR_FILENO ? fd : -1;
}

std::optional<LaunchOptions> ReadOptions(char** arguments) {
  LaunchOptions options;
  if (*arguments != nullptr && std::string_view(*arguments) == "--leave") {
    options.leave = true;
    ++arguments;
  }
  for (int i = 0; i < 3; ++i) {
    if (arguments[i] == nullptr) return std::nullopt;
  }
  options.socket = DescriptorOf(arguments[0]);
  options.page = DescriptorOf(arguments[1]);
  options.unit = arguments[2];
  const bool good = options.socket >= 0 && options.page >= 0 && !options.unit.empty() && arguments[3] == nullptr;
  return good ? std::optional(std::move(options)) : std::nullopt;
}

// A command inherits from this process, not from the host: nothing that the host set for itself may reach it. By the
// raw calls: 32 and 33 are libc's own, which posix_spawn leaves ignored.
void ResetSignals() {
  struct {
    unsigned long words[4];  // NOLINT(google-runtime-int): the kernel's struct sigaction
  } by_default{};
  for (int number = 1; number <= kSignalCount; ++number) {
    (void)syscall(SYS_rt_sigaction, number, &by_default, nullptr, sizeof(uint64_t));
  }
  const uint64_t none = 0;
  (void)syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, nullptr, sizeof none);
}

// What the host let through, close-on-exec or not, came along through systemd-run.
void CloseAllBut(int one, int other) {
  unsigned next = STDERR_FILENO + 1;
  for (const int kept : {std::min(one, other), std::max(one, other)}) {
    const auto number = static_cast<unsigned>(kept);
    if (number > next) (void)syscall(SYS_close_range, next, number - 1, 0U);
    (void)fcntl(kept, F_SETFD, FD_CLOEXEC);
    next = number + 1;
  }
  // compat(kernel < 5.9): every child closes all else by the list in /proc.
  (void)syscall(SYS_close_range, next, ~0U, 0U);
}

LauncherPage* MapPage(UniqueFd page) {
  void* const mapped = mmap(nullptr, sizeof(LauncherPage), PROT_READ | PROT_WRITE, MAP_SHARED, page.get(), 0);
  return mapped == MAP_FAILED ? nullptr : static_cast<LauncherPage*>(mapped);
}

// Holds nothing of whoever called the host.
Status LetGoOfStreams() {
  const UniqueFd null(sys::OpenAt(AT_FDCWD, "/dev/null", O_RDWR));
  if (!null.valid()) return SysError{errno, "open", "/dev/null"};
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (dup2(null.get(), stream) == -1) return SysError{errno, "dup2", {}};
  }
  return {};
}

Status Serve(const LaunchOptions& options) {
  const pid_t host = getppid();
  UniqueFd control(options.socket);
  LauncherPage* const page = MapPage(UniqueFd(options.page));
  if (page == nullptr) return SysError{errno, "mmap", {}};
  UniqueFd host_pidfd(sys::PidfdOpen(host));
  if (!host_pidfd.valid()) return SysError{errno, "pidfd_open", {}};
  if (getppid() != host) return SysError{ESRCH, "pidfd_open", {}};
  auto scope = EnterScope(options.unit);
  if (!scope.ok()) return scope.error();
  if (Status let_go = LetGoOfStreams(); !let_go.ok()) return let_go;
  const auto own_pid = static_cast<uint32_t>(getpid());
  Status told = SendControl(control.get(), ControlKind::kHello, own_pid, {}, scope.value().run.fd());
  if (!told.ok()) return told;
  auto* server = new StartServer(host);
  Guard({std::move(host_pidfd), std::move(control)}, std::move(scope.value()), server, page, options.leave).Run();
  _exit(0);  // the threads of the server have no other end
}

}  // namespace

int RunLaunch(char** arguments) {
  auto options = ReadOptions(arguments);
  if (!options.has_value()) return ReportFailure("options", "launch takes [--leave] SOCKET PAGE UNIT");
  ResetSignals();
  (void)setsid();  // no Ctrl-C of the host's terminal; fails only for a process that leads a group already
  CloseAllBut(options->socket, options->page);
  const Status served = Serve(*options);
  return ReportFailure(served.error());
}

}  // namespace quiesce

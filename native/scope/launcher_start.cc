#include "scope/launcher_start.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <string_view>

#include "launcher/control_message.h"
#include "os/file.h"
#include "os/sys.h"
#include "spawn/exec_image.h"
#include "spawn/launch.h"

namespace quiesce {

namespace {

constexpr size_t kMostText = 4096;
constexpr int kSocketTarget = 3;
constexpr int kPageTarget = 4;

std::atomic<unsigned> scope_count{0};

// Unique on this machine: a name that is taken makes systemd-run fail, and pids come again.
std::string UnitName() {
  uint32_t random = 0;
  (void)getrandom(&random, sizeof random, 0);  // only against names of the past
  std::array<char, 64> name{};
  (void)snprintf(name.data(), name.size(), "quiesce-%d-%u-%08x.scope", getpid(), scope_count.fetch_add(1), random);
  return name.data();
}

StringBlock CommandOf(const LauncherOptions& options, const std::string& unit) {
  StringBlock argv;
  for (const char* word : {"systemd-run", "--user", "--scope", "--quiet", "--collect", "--property=Delegate=yes"}) {
    argv.Add(word);
  }
  argv.Add("--unit=" + unit);
  argv.Add("--");
  argv.Add(options.runner);
  argv.Add("launch");
  if (options.leave) argv.Add("--leave");
  argv.Add(std::to_string(kSocketTarget));
  argv.Add(std::to_string(kPageTarget));
  argv.Add(unit);
  return argv;
}

// What the child duplicates from must lie above what it duplicates to.
Result<UniqueFd> Above(UniqueFd fd, const char* call) {
  if (!fd.valid()) return SysError{errno, call, {}};
  if (fd.get() >= kFirstFreeDescriptor) return fd;
  UniqueFd moved(fcntl(fd.get(), F_DUPFD_CLOEXEC, kFirstFreeDescriptor));
  if (!moved.valid()) return SysError{errno, "fcntl", {}};
  return moved;
}

// The launcher's ends.
struct Ends {
  UniqueFd null_device;
  UniqueFd text;
  UniqueFd control;
  UniqueFd page;
};

Status Assign(Result<UniqueFd> made, UniqueFd* to) {
  if (!made.ok()) return made.error();
  *to = std::move(made.value());
  return {};
}

Status MakePage(StartedLauncher* launcher, Ends* ends) {
  Status made = Assign(Above(UniqueFd(memfd_create("quiesce-launcher", MFD_CLOEXEC)), "memfd_create"), &ends->page);
  if (!made.ok()) return made;
  if (ftruncate(ends->page.get(), sizeof(LauncherPage)) == -1) return SysError{errno, "ftruncate", {}};
  void* const mapped = mmap(nullptr, sizeof(LauncherPage), PROT_READ | PROT_WRITE, MAP_SHARED, ends->page.get(), 0);
  if (mapped == MAP_FAILED) return SysError{errno, "mmap", {}};
  launcher->page.reset(static_cast<LauncherPage*>(mapped));
  return {};
}

// `text` gets the host's end of what systemd-run says.
Status MakeEnds(StartedLauncher* launcher, UniqueFd* text, Ends* ends) {
  Status made = Assign(Above(UniqueFd(sys::OpenAt(AT_FDCWD, "/dev/null", O_RDWR)), "open"), &ends->null_device);
  if (!made.ok()) return made;
  auto pipe = MakePipe();
  if (!pipe.ok()) return pipe.error();
  *text = std::move(pipe.value().reader);
  if (made = SetNonBlocking(text->get()); !made.ok()) return made;
  if (made = Assign(Above(std::move(pipe.value().writer), "pipe2"), &ends->text); !made.ok()) return made;
  std::array<int, 2> pair{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair.data()) == -1) {
    return SysError{errno, "socketpair", {}};
  }
  launcher->control.Reset(pair[0]);
  UniqueFd other(pair[1]);
  if (made = SetNonBlocking(launcher->control.get()); !made.ok()) return made;
  if (made = Assign(Above(std::move(other), "socketpair"), &ends->control); !made.ok()) return made;
  return MakePage(launcher, ends);
}

Status StartProgram(const LauncherOptions& options, const Ends& ends, StartedLauncher* launcher) {
  auto stack = ChildStack::Create();
  if (!stack.ok()) return stack.error();
  StringBlock argv = CommandOf(options, launcher->unit);
  StringBlock environment = options.environment;
  ExecImage image(argv, environment);
  ChildPlan plan;
  plan.argv = image.argv();
  plan.environment = image.environment();
  plan.candidates = image.candidates();
  plan.shell_argv = image.shell_argv();
  plan.cwd = "/";
  // All three streams: a host may have marked its own as close-on-exec.
  for (const ChildPlan::Descriptor descriptor : {ChildPlan::Descriptor{ends.null_device.get(), STDIN_FILENO},
                                                 {ends.null_device.get(), STDOUT_FILENO},
                                                 {ends.text.get(), STDERR_FILENO},
                                                 {ends.control.get(), kSocketTarget},
                                                 {ends.page.get(), kPageTarget}}) {
    plan.descriptors[plan.descriptor_count++] = descriptor;
  }
  plan.closings[0] = {kPageTarget + 1, ~0U};
  plan.closing_count = 1;
  auto child = Launch(&plan, -1, stack.value());
  if (!child.ok()) return child.error();
  launcher->pid = child.value().pid;
  launcher->pidfd = std::move(child.value().pidfd);
  if (plan.failed_stage == SpawnStage::kNone) return {};
  siginfo_t info{};
  (void)sys::WaitPidfd(launcher->pidfd.get(), &info, WEXITED, nullptr);  // it has exited; this only reaps it
  return SysError{plan.failed_errno, "execve", "systemd-run"};
}

std::string WhatWasSaid(int fd, const siginfo_t& end) {
  std::array<char, kMostText> buffer{};
  const ssize_t size = sys::Read(fd, buffer.data(), buffer.size());
  std::string text(buffer.data(), size > 0 ? static_cast<size_t>(size) : 0);
  while (text.ends_with('\n')) text.pop_back();
  if (!text.empty()) return text;
  return "systemd-run ended with " + std::string(end.si_code == CLD_EXITED ? "status " : "signal ") +
         std::to_string(end.si_status) + " and said nothing";
}

SysError EndFailed(const StartedLauncher& launcher, int text, int error) {
  (void)sys::PidfdSendSignal(launcher.pidfd.get(), SIGKILL);
  siginfo_t info{};
  (void)sys::WaitPidfd(launcher.pidfd.get(), &info, WEXITED, nullptr);
  return {error, "systemd-run", error == ECONNREFUSED ? WhatWasSaid(text, info) : ""};
}

Status AwaitHello(StartedLauncher* launcher, int text, Millis patience) {
  const TimePoint latest = After(Clock::now(), patience);
  std::array<pollfd, 2> watched{pollfd{launcher->control.get(), POLLIN, 0}, pollfd{launcher->pidfd.get(), POLLIN, 0}};
  const auto wait = [&] {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(latest - Clock::now()).count();
    return poll(watched.data(), watched.size(), static_cast<int>(std::max<decltype(left)>(left, 0)));
  };
  if (sys::RetryInterrupted(wait) <= 0) return EndFailed(*launcher, text, ETIMEDOUT);
  auto hello = ReceiveControl(launcher->control.get(), MSG_DONTWAIT);
  if (!hello.ok()) {
    // It has closed its end without a word: it is ending, or was never there.
    siginfo_t info{};
    const bool ended = sys::WaitPidfd(launcher->pidfd.get(), &info, WEXITED | WNOHANG | WNOWAIT, nullptr) == 0;
    if (!ended || info.si_pid == 0) (void)sys::RetryInterrupted([&] { return poll(&watched[1], 1, 1000); });
    return EndFailed(*launcher, text, hello.error().number == EMFILE ? EMFILE : ECONNREFUSED);
  }
  ControlMessage& message = hello.value();
  // Another pid: not what was started, or a pid namespace between this process and the manager.
  if (message.kind != ControlKind::kHello || message.value != static_cast<uint32_t>(launcher->pid)) {
    return EndFailed(*launcher, text, EPROTO);
  }
  launcher->run = std::move(message.fd);
  return {};
}

}  // namespace

void UnmapPage::operator()(LauncherPage* page) const { (void)munmap(page, sizeof *page); }

Result<StartedLauncher> StartLauncher(const LauncherOptions& options) {
  StartedLauncher launcher;
  launcher.unit = UnitName();
  UniqueFd text;
  {
    Ends ends;
    if (Status made = MakeEnds(&launcher, &text, &ends); !made.ok()) return made.error();
    if (Status started = StartProgram(options, ends, &launcher); !started.ok()) return started.error();
  }
  if (Status heard = AwaitHello(&launcher, text.get(), options.patience); !heard.ok()) return heard.error();
  return launcher;
}

}  // namespace quiesce

#include "terminal/waiting_call.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include <algorithm>
#include <charconv>
#include <string>

#include "os/file.h"

#ifndef SYS_epoll_pwait2
#define SYS_epoll_pwait2 441
#endif

namespace quiesce {

namespace {

// More is not looked at: no program waits for a terminal among so many.
constexpr uint64_t kMostPolled = 4096;

template <typename Number>
bool TakeNumber(std::string_view* text, int base, Number* number) {
  while (!text->empty() && (text->front() == ' ' || text->front() == '\t')) text->remove_prefix(1);
  if (base == 16 && text->starts_with("0x")) text->remove_prefix(2);
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), *number, base);
  if (error != std::errc{}) return false;
  text->remove_prefix(static_cast<size_t>(end - text->data()));
  return true;
}

template <typename Item>
bool ReadMemory(pid_t process, uint64_t address, std::vector<Item>* items) {
  const iovec local{items->data(), items->size() * sizeof(Item)};
  const iovec remote{reinterpret_cast<void*>(address), local.iov_len};  // NOLINT(performance-no-int-to-ptr): not ours
  return process_vm_readv(process, &local, 1, &remote, 1, 0) == static_cast<ssize_t>(local.iov_len);
}

std::vector<int> InPoll(pid_t process, uint64_t address, uint64_t count) {
  if (count == 0 || count > kMostPolled) return {};
  std::vector<pollfd> entries(count);
  if (!ReadMemory(process, address, &entries)) return {};
  std::vector<int> fds;
  for (const pollfd& entry : entries) {
    if (entry.fd >= 0 && (entry.events & (POLLIN | POLLRDNORM)) != 0) fds.push_back(entry.fd);
  }
  return fds;
}

std::vector<int> InSelect(pid_t process, uint64_t count, uint64_t address) {
  using Word = unsigned long;  // NOLINT(google-runtime-int): the kernel's own type
  constexpr uint64_t kBits = sizeof(Word) * 8;
  if (count == 0 || count > kMostPolled || address == 0) return {};
  std::vector<Word> set((count + kBits - 1) / kBits);
  if (!ReadMemory(process, address, &set)) return {};
  std::vector<int> fds;
  for (uint64_t fd = 0; fd < count; ++fd) {
    if ((set[fd / kBits] >> (fd % kBits) & 1U) != 0) fds.push_back(static_cast<int>(fd));
  }
  return fds;
}

std::vector<int> InEpoll(pid_t process, uint64_t fd) {
  const std::string path = "/proc/" + std::to_string(process) + "/fdinfo/" + std::to_string(static_cast<unsigned>(fd));
  auto text = ReadFileAt(AT_FDCWD, path.c_str());
  return text.ok() ? ParseEpollTargets(text.value()) : std::vector<int>{};
}

}  // namespace

// "NUMBER 0xARG 0xARG 0xARG 0xARG 0xARG 0xARG 0xSP 0xPC", "-1 0xSP 0xPC" or "running".
std::optional<WaitingCall> ParseWaitingCall(std::string_view text) {
  WaitingCall call;
  if (!TakeNumber(&text, 10, &call.number) || call.number < 0) return std::nullopt;
  for (uint64_t& argument : call.arguments) {
    if (!TakeNumber(&text, 16, &argument)) return std::nullopt;
  }
  return call;
}

// Lines such as "tfd:        0 events:       19 data: ...", the events in hexadecimal.
std::vector<int> ParseEpollTargets(std::string_view text) {
  constexpr std::string_view kFd = "tfd:";
  constexpr std::string_view kEvents = "events:";
  std::vector<int> fds;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.starts_with(kFd)) continue;
    line.remove_prefix(kFd.size());
    int fd = -1;
    uint32_t events = 0;
    if (!TakeNumber(&line, 10, &fd)) continue;
    const size_t at = line.find(kEvents);
    if (at == std::string_view::npos) continue;
    line.remove_prefix(at + kEvents.size());
    if (TakeNumber(&line, 16, &events) && (events & EPOLLIN) != 0) fds.push_back(fd);
  }
  return fds;
}

std::vector<int> DescriptorsWaitedFor(pid_t process, const WaitingCall& call) {
#if defined(__x86_64__) || defined(__aarch64__)
  const auto& arguments = call.arguments;
  switch (call.number) {
    case SYS_read:
    case SYS_readv:
      return {static_cast<int>(arguments[0])};
#ifdef SYS_poll
    case SYS_poll:
#endif
    case SYS_ppoll:
      return InPoll(process, arguments[0], arguments[1]);
#ifdef SYS_select
    case SYS_select:
#endif
    case SYS_pselect6:
      return InSelect(process, arguments[0], arguments[1]);
#ifdef SYS_epoll_wait
    case SYS_epoll_wait:
#endif
    case SYS_epoll_pwait:
    case SYS_epoll_pwait2:
      return InEpoll(process, arguments[0]);
    default:
      return {};
  }
#else
  (void)process;
  (void)call;
  return {};
#endif
}

}  // namespace quiesce

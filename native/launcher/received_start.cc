#include "launcher/received_start.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstring>

#include "os/sys.h"

namespace quiesce {

namespace {

constexpr uint32_t kKnownFlags = kBodyInMemfd | kHasOomScore | kHasShell | kConfined | kHasTerminal;
constexpr uint32_t kKnownNamespaces = (1U << kStartNamespaces) - 1;

// Hands out the texts of a body one after the other.
class TextReader {
 public:
  TextReader(char* begin, char* end) : at_(begin), end_(end) {}

  // Null: there is none any more.
  char* Next() {
    char* const text = at_;
    auto* const nul = static_cast<char*>(memchr(at_, '\0', static_cast<size_t>(end_ - at_)));
    if (nul == nullptr) return nullptr;
    at_ = nul + 1;
    return text;
  }

  // False: there are fewer. With a null at the end of the list.
  bool Take(uint32_t count, std::vector<char*>* texts) {
    for (uint32_t i = 0; i < count; ++i) {
      char* const text = Next();
      if (text == nullptr) return false;
      texts->push_back(text);
    }
    texts->push_back(nullptr);
    return true;
  }

  [[nodiscard]] bool at_end() const { return at_ == end_; }

 private:
  char* at_;
  char* const end_;
};

// Of a file that holds exactly `size` bytes.
bool ReadFile(int fd, size_t size, std::string* content) {
  struct stat facts {};
  if (fstat(fd, &facts) == -1 || facts.st_size != static_cast<off_t>(size)) return false;
  content->resize(size);
  for (size_t at = 0; at < size;) {
    const auto read = [&] { return pread(fd, content->data() + at, size - at, static_cast<off_t>(at)); };
    const ssize_t count = sys::RetryInterrupted(read);
    if (count <= 0) return false;
    at += static_cast<size_t>(count);
  }
  return true;
}

bool IsWellFormed(const StartHeader& header, size_t fd_count) {
  if (header.magic != kLauncherMagic || (header.flags & ~kKnownFlags) != 0) return false;
  if (header.body_size > kMostBodyBytes) return false;
  if (header.descriptor_count > header.targets.size() || header.closing_count > header.closings.size()) return false;
  if (header.process_limit_count > header.process_limits.size()) return false;
  for (uint32_t i = 0; i < header.descriptor_count; ++i) {
    if (header.targets[i] < 0 || header.targets[i] >= kFirstFreeDescriptor) return false;
  }
  const bool confined = (header.flags & kConfined) != 0;
  if ((header.namespaces & ~kKnownNamespaces) != 0 || (!confined && header.namespaces != 0)) return false;
  if (header.root_count > kMostStartRoots || (!confined && header.root_count != 0)) return false;
  if (header.dropped_count > header.dropped_capabilities.size()) return false;
  const size_t in_memfd = (header.flags & kBodyInMemfd) != 0 ? 1 : 0;
  return fd_count == 1 + header.descriptor_count + static_cast<size_t>(std::popcount(header.namespaces)) + in_memfd;
}

Status MoveUp(std::vector<UniqueFd>* fds) {
  for (UniqueFd& fd : *fds) {
    if (fd.get() >= kFirstFreeDescriptor) continue;
    fd.Reset(fcntl(fd.get(), F_DUPFD_CLOEXEC, kFirstFreeDescriptor));
    if (!fd.valid()) return SysError{errno, "fcntl", {}};
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<ReceivedStart>> ReceivedStart::Decode(std::span<const char> message, std::vector<UniqueFd> fds) {
  const SysError malformed{EPROTO, "recvmsg", {}};
  StartHeader header{};
  if (message.size() < sizeof header) return malformed;
  memcpy(&header, message.data(), sizeof header);
  if (!IsWellFormed(header, fds.size())) return malformed;
  if (Status moved = MoveUp(&fds); !moved.ok()) return moved.error();
  std::unique_ptr<ReceivedStart> start(new ReceivedStart(header, std::move(fds)));
  if (!start->TakeBody(message.subspan(sizeof header)) || !start->FillTexts()) return malformed;
  start->FillDescriptors();
  start->FillConfinement();
  return start;
}

bool ReceivedStart::TakeBody(std::span<const char> rest) {
  if ((header_.flags & kBodyInMemfd) == 0) {
    body_.assign(rest.data(), rest.size());
  } else {
    if (!rest.empty()) return false;
    if (!ReadFile(fds_.back().get(), header_.body_size, &body_)) return false;
  }
  return body_.size() == header_.body_size;
}

bool ReceivedStart::FillTexts() {
  const size_t roots_size = header_.root_count * sizeof(StartRoot);
  if (body_.size() < roots_size) return false;
  TextReader reader(body_.data() + roots_size, body_.data() + body_.size());
  plan_.cwd = reader.Next();
  if (plan_.cwd == nullptr) return false;
  if ((header_.flags & kHasOomScore) != 0 && (plan_.oom_score = reader.Next()) == nullptr) return false;
  char* shell = nullptr;
  if ((header_.flags & kHasShell) != 0 && (shell = reader.Next()) == nullptr) return false;
  if (!reader.Take(header_.argv_count, &argv_) || !reader.Take(header_.environment_count, &environment_) ||
      !reader.Take(header_.candidate_count, &candidates_)) {
    return false;
  }
  if (shell != nullptr) {
    if (header_.argv_count == 0) return false;
    shell_argv_ = {shell, nullptr};
    shell_argv_.insert(shell_argv_.end(), argv_.begin() + 1, argv_.end());
    plan_.shell_argv = shell_argv_.data();
  }
  for (uint32_t i = 0; i < header_.root_count; ++i) {
    StartRoot root{};
    memcpy(&root, body_.data() + i * sizeof root, sizeof root);
    const char* const path = reader.Next();
    if (path == nullptr) return false;
    roots_.push_back({path, root.inode, root.mount});
  }
  plan_.argv = argv_.data();
  plan_.environment = environment_.data();
  plan_.candidates = candidates_.data();
  return reader.at_end();
}

void ReceivedStart::FillDescriptors() {
  plan_.descriptor_count = header_.descriptor_count;
  for (size_t i = 0; i < plan_.descriptor_count; ++i) plan_.descriptors[i] = {fds_[1 + i].get(), header_.targets[i]};
  plan_.controlling_terminal = (header_.flags & kHasTerminal) != 0;
  plan_.closing_count = header_.closing_count;
  plan_.closings = header_.closings;
  plan_.limit_count = header_.process_limit_count;
  plan_.limits = header_.process_limits;
  settings_.umask = header_.umask;
  settings_.changed_limits = (1U << InheritedSettings::kLimits) - 1;
  for (size_t i = 0; i < settings_.limits.size(); ++i) {
    settings_.limits[i].rlim_cur = header_.limits[i][0];
    settings_.limits[i].rlim_max = header_.limits[i][1];
  }
  plan_.settings = &settings_;
}

void ReceivedStart::FillConfinement() {
  if ((header_.flags & kConfined) == 0) return;
  int* const places[] = {&confinement_.user_namespace, &confinement_.network_namespace, &confinement_.ipc_namespace,
                         &confinement_.mount_namespace, &confinement_.ruleset};
  size_t next = 1 + header_.descriptor_count;
  for (uint32_t kind = 0; kind < kStartNamespaces; ++kind) {
    if ((header_.namespaces >> kind & 1U) != 0) *places[kind] = fds_[next++].get();
  }
  confinement_.roots = roots_.data();
  confinement_.root_count = roots_.size();
  confinement_.dropped_capabilities = header_.dropped_capabilities.data();
  confinement_.dropped_capability_count = header_.dropped_count;
  plan_.confinement = &confinement_;
}

void ReceivedStart::LeaveOutLimits(const std::array<rlimit, InheritedSettings::kLimits>& own) {
  for (unsigned i = 0; i < own.size(); ++i) {
    const rlimit& wanted = settings_.limits[i];
    if (wanted.rlim_cur == own[i].rlim_cur && wanted.rlim_max == own[i].rlim_max) {
      settings_.changed_limits &= ~(1U << i);
    }
  }
}

}  // namespace quiesce

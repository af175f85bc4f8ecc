#include "launcher/control_message.h"

#include <array>
#include <cerrno>
#include <cstring>

#include "os/message.h"

namespace quiesce {

namespace {

bool TakesFd(ControlKind kind) {
  return kind == ControlKind::kChannel || kind == ControlKind::kAdopt || kind == ControlKind::kHello;
}

bool IsWellFormed(const ControlHeader& header, std::string_view path, size_t fd_count) {
  if (header.magic != kLauncherMagic || header.kind > ControlKind::kPong) return false;
  if (header.path_size != path.size() || path.find('\0') != std::string_view::npos) return false;
  // Who removes by a path must not depend on where it stands.
  if ((header.kind == ControlKind::kRemove) != path.starts_with('/')) return false;
  if (header.kind == ControlKind::kChannel && header.value >= kMostChannels) return false;
  return fd_count == (TakesFd(header.kind) ? 1 : 0);
}

}  // namespace

Status SendControl(int socket, ControlKind kind, uint32_t value, std::string_view path, int fd) {
  ControlHeader header{kLauncherMagic, kind, value, static_cast<uint32_t>(path.size())};
  if (sizeof header + path.size() > kMostControlBytes) return SysError{ENAMETOOLONG, "sendmsg", {}};
  const iovec parts[] = {{&header, sizeof header}, {const_cast<char*>(path.data()), path.size()}};
  return SendMessage(socket, parts, {&fd, fd >= 0 ? size_t{1} : size_t{0}});
}

Result<ControlMessage> ReceiveControl(int socket, int flags) {
  std::array<char, kMostControlBytes> buffer;
  auto received = ReceiveMessage(socket, buffer, flags);
  if (!received.ok()) return received.error();
  const SysError malformed{EPROTO, "recvmsg", {}};
  ControlHeader header{};
  const size_t size = received.value().size;
  if (size < sizeof header) return malformed;
  memcpy(&header, buffer.data(), sizeof header);
  const std::string_view path(buffer.data() + sizeof header, size - sizeof header);
  std::vector<UniqueFd>& fds = received.value().fds;
  if (!IsWellFormed(header, path, fds.size())) return malformed;
  return ControlMessage{header.kind, header.value, std::string(path), fds.empty() ? UniqueFd() : std::move(fds[0])};
}

}  // namespace quiesce

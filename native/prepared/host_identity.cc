#include "prepared/host_identity.h"

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "confine/capabilities.h"
#include "prepared/path_identity.h"

namespace quiesce {

namespace {

constexpr unsigned kCapabilityWordBits = 32;

}  // namespace

Result<HostIdentity> ReadHostIdentity() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> data{};
  if (syscall(SYS_capget, &header, data.data()) == -1) return SysError{errno, "capget", {}};
  auto root = ReadPathIdentity("/");
  if (!root.ok()) return root.error();
  HostIdentity host;
  host.user = geteuid();
  host.capabilities = data[0].permitted | static_cast<uint64_t>(data[1].permitted) << kCapabilityWordBits;
  host.root = root.value();
  return host;
}

std::vector<uint8_t> CapabilitiesToDrop(const HostIdentity& host) {
  std::vector<uint8_t> dropped;
  if (host.user != 0) return dropped;
  for (uint8_t number = 0; number < 2 * kCapabilityWordBits; ++number) {
    const int bounded = prctl(PR_CAPBSET_READ, number, 0, 0, 0);
    if (bounded == -1) break;  // one past the last capability of this kernel
    const bool has = (host.capabilities & CapabilityBit(number)) != 0 && bounded == 1;
    if (!has || (kKeptCapabilities & CapabilityBit(number)) == 0) dropped.push_back(number);
  }
  return dropped;
}

}  // namespace quiesce

#include "runner/prepare.h"

#include <fcntl.h>
#include <linux/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "confine/landlock.h"
#include "confine/loopback.h"
#include "confine/mount_tree.h"
#include "confine/namespaces.h"
#include "confine/step.h"
#include "confine/writable_roots.h"
#include "os/sys.h"
#include "runner/reply_message.h"

namespace quiesce {

namespace {

constexpr const char* kStep = "prepare";
constexpr unsigned kMountIdMask = 0x1000;  // STATX_MNT_ID, kernel 5.8
// What the confinement relies on that does not come with the first version: REFER, without which no file can be moved
// to another folder.
constexpr int kLeastLandlock = 2;

// Which of `given` a canonical root was.
uint32_t ArgumentOf(const std::string& canonical, const std::vector<std::string>& given, bool private_tmp) {
  for (size_t i = 0; i < given.size(); ++i) {
    auto one = CanonicalRoots({given[i]}, private_tmp);
    if (one.ok() && one.value() == std::vector<std::string>{canonical}) return static_cast<uint32_t>(i);
  }
  return static_cast<uint32_t>(given.size());  // changed meanwhile: nobody takes an answer with this
}

Status AddNamespace(ReplyMessage* reply, ReplyDescriptor kind, const char* path) {
  UniqueFd fd(sys::OpenAt(AT_FDCWD, path, O_RDONLY));
  if (!fd.valid()) return StepError(kStep, path);
  reply->Add(kind, std::move(fd));
  return {};
}

Status AddNamespaces(ReplyMessage* reply, bool with_network) {
  Status status = AddNamespace(reply, kReplyUser, "/proc/self/ns/user");
  if (status.ok() && with_network) status = AddNamespace(reply, kReplyNetwork, "/proc/self/ns/net");
  if (!status.ok()) return status;
  status = AddNamespace(reply, kReplyIpc, "/proc/self/ns/ipc");
  if (!status.ok() && status.error().number != ENOENT) return status;  // a kernel without has nothing to share
  return AddNamespace(reply, kReplyMount, "/proc/self/ns/mnt");
}

Status AddRoot(ReplyMessage* reply, const std::string& path, uint32_t argument) {
  UniqueFd pin(sys::OpenAt(AT_FDCWD, path.c_str(), O_PATH));
  struct statx found {};
  if (!pin.valid() || syscall(SYS_statx, pin.get(), "", AT_EMPTY_PATH, STATX_INO | kMountIdMask, &found) == -1) {
    return StepError(kStep, path);
  }
  reply->AddRoot({found.stx_dev_major, found.stx_dev_minor, found.stx_ino, found.stx_mnt_id, argument, 0},
                 std::move(pin));
  return {};
}

Result<UniqueFd> BuildInside(const ConfinePolicy& policy, int landlock_abi) {
  auto tree = BuildMountTree(policy);
  if (!tree.ok()) return tree.error();
  if (policy.no_network) {
    if (Status up = BringLoopbackUp(); !up.ok()) return up.error();
  }
  return MakeRuleset(policy, {landlock_abi, /*in_namespaces=*/true, tree.value().outer_terminals.get()});
}

}  // namespace

Status PrepareAndHandOver(ConfinePolicy policy, int socket) {
  if (policy.landlock_only) return SysError{EOPNOTSUPP, kStep, {}};
  const int landlock_abi = LandlockAbi();
  if (landlock_abi < kLeastLandlock) return SysError{EOPNOTSUPP, "landlock", {}};
  const std::vector<std::string> given = policy.writable_roots;
  auto roots = CanonicalRoots(given, policy.private_tmp);
  if (!roots.ok()) return roots.error();
  policy.writable_roots = std::move(roots.value());
  if (policy.writable_roots.size() > kMostReplyRoots) return SysError{E2BIG, kStep, {}};
  std::vector<uint32_t> arguments;
  for (const std::string& root : policy.writable_roots) {
    arguments.push_back(ArgumentOf(root, given, policy.private_tmp));
  }

  if (Status entered = EnterNamespaces(policy.no_network); !entered.ok()) return entered;
  auto ruleset = BuildInside(policy, landlock_abi);
  if (!ruleset.ok()) return ruleset.error();
  ReplyMessage reply;
  if (Status added = AddNamespaces(&reply, policy.no_network); !added.ok()) return added;
  reply.Add(kReplyRuleset, std::move(ruleset.value()));
  if (Status added = AddNamespace(&reply, kReplyMountTable, "/proc/self/mountinfo"); !added.ok()) return added;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (Status added = AddRoot(&reply, policy.writable_roots[i], arguments[i]); !added.ok()) return added;
  }
  return reply.Send(socket);
}

}  // namespace quiesce

#include "confine/namespaces.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "confine/capabilities.h"
#include "confine/id_map.h"
#include "confine/step.h"
#include "os/sys.h"
#include "os/unique_fd.h"

namespace quiesce {

namespace {

constexpr const char* kIdMap = "id-map";
constexpr uint64_t kMapping = CapabilityBit(CAP_SETUID) | CapabilityBit(CAP_SETGID) | CapabilityBit(CAP_SETFCAP);

// Stays outside, where alone a full map may be written: waits for a word, writes the maps, answers with an errno.
[[noreturn]] void RunMapper(int socket, int process, const IdMaps& maps) {
  char word = 0;
  if (sys::Read(socket, &word, 1) != 1) _exit(0);
  const Status written = WriteIdMaps(process, maps);
  const int answer = written.ok() ? 0 : written.error().number;
  (void)send(socket, &answer, sizeof answer, MSG_NOSIGNAL);  // an answer that does not arrive counts as a failure
  _exit(0);
}

// A child that sends no signal when it ends: it is none of the command's business, whatever that does about SIGCHLD.
pid_t ForkSilently() { return static_cast<pid_t>(syscall(SYS_clone, 0UL, nullptr, nullptr, nullptr, 0UL)); }

void Reap(pid_t mapper) {
  (void)sys::RetryInterrupted([&] { return waitpid(mapper, nullptr, __WALL); });
}

Status AwaitMaps(int socket) {
  int answer = 0;
  if (send(socket, "m", 1, MSG_NOSIGNAL) != 1) return StepError(kIdMap);
  if (sys::Read(socket, &answer, sizeof answer) != sizeof answer) return SysError{ECHILD, kIdMap, {}};
  if (answer != 0) return SysError{answer, kIdMap, {}};
  return {};
}

Status EnterAsRoot(int flags) {
  auto held = EffectiveCapabilities();
  if (!held.ok()) return held.error();
  if ((held.value() & kMapping) != kMapping) return SysError{EPERM, kNamespacesStep, {}};
  auto maps = FullIdMaps();
  if (!maps.ok()) return maps.error();
  // By descriptor: the number of this process may be another one in the /proc that is mounted here.
  const UniqueFd process(sys::OpenAt(AT_FDCWD, "/proc/self", O_PATH | O_DIRECTORY));
  if (!process.valid()) return StepError(kNamespacesStep, "/proc/self");
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == -1) return StepError(kNamespacesStep);
  UniqueFd inside(ends[0]);
  UniqueFd outside(ends[1]);
  const pid_t mapper = ForkSilently();
  if (mapper == -1) return StepError(kNamespacesStep);
  if (mapper == 0) {
    inside.Reset();
    RunMapper(outside.get(), process.get(), maps.value());
  }
  outside.Reset();
  Status status;
  if (unshare(flags) == -1) {
    status = StepError(kNamespacesStep);
  } else {
    status = AwaitMaps(inside.get());
  }
  inside.Reset();
  Reap(mapper);
  return status;
}

Status EnterAsUser(int flags) {
  const uid_t uid = geteuid();
  const gid_t gid = getegid();
  if (unshare(flags) == -1) return StepError(kNamespacesStep);
  return WriteOwnIdMap(uid, gid);
}

}  // namespace

Status EnterNamespaces(bool with_network) {
  const int flags = CLONE_NEWUSER | CLONE_NEWNS | (with_network ? CLONE_NEWNET : 0);
  Status entered = geteuid() == 0 ? EnterAsRoot(flags) : EnterAsUser(flags);
  if (!entered.ok()) return entered;
  // A kernel without System V IPC has no such namespace, and nothing that needs it.
  if (unshare(CLONE_NEWIPC) == -1 && errno != EINVAL) return StepError("ipc");
  return {};
}

}  // namespace quiesce

#include "supervisor/tree.h"

#include <signal.h>

#include <cstddef>
#include <cstdint>

#include "supervisor/children.h"

#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

namespace quiesce::supervisor {

namespace {

constexpr int kLooks = 2;

struct Member {
  int pid;
  int parent;
  int seen_in;  // the last look that found it
  bool signalled;
};

// Whoever does not fit in is left to SIGKILL, which needs no list.
constexpr size_t kMostMembers = 4096;
Member members[kMostMembers];
size_t member_count = 0;
// The members that the present look has found, in the order of finding: places in `members`.
uint16_t found[kMostMembers];
size_t found_count = 0;

Member* MemberOf(int pid) {
  for (size_t i = 0; i < member_count; ++i) {
    if (members[i].pid == pid) return &members[i];
  }
  if (member_count == kMostMembers) return nullptr;
  members[member_count] = {pid, 0, 0, false};
  return &members[member_count++];
}

void Find(int pid, int parent, int look) {
  Member* member = MemberOf(pid);
  if (member == nullptr || member->seen_in == look) return;
  member->seen_in = look;
  member->parent = parent;
  found[found_count++] = static_cast<uint16_t>(member - members);
}

// Each thread has its own children.
bool FindChildrenOf(int parent, int look) {
  const int threads = ProcPath().Text("/").Number(parent).Text("/task").Open(O_RDONLY | O_DIRECTORY);
  if (threads < 0) return true;  // gone meanwhile, or of a user who is not to be looked at
  bool told = true;
  (void)ForEachNumberedEntry(threads, [&](int thread) {
    const int file = ProcPath().Text("/").Number(parent).Text("/task/").Number(thread).Text("/children").Open(O_RDONLY);
    if (file == -ENOENT) told = ParentOf(parent) == 0 && told;
    if (file < 0) return;
    (void)ForEachListed(file, [&](int pid) { Find(pid, parent, look); });
    (void)Call(SYS_close, file);
  });
  (void)Call(SYS_close, threads);
  return told;
}

// compat(kernel without CONFIG_PROC_CHILDREN): looks at every process until there is no more to be found.
void FindByParents(int self, int look) {
  size_t before = 0;
  do {
    before = found_count;
    (void)ForEachProcess([&](int pid, int parent) {
      if (parent == self) return Find(pid, parent, look);
      for (size_t i = 0; i < found_count; ++i) {
        if (members[found[i]].pid == parent) return Find(pid, parent, look);
      }
    });
  } while (found_count > before);
}

bool Look(int self, int look) {
  found_count = 0;
  if (!ForEachChild([&](int pid) { Find(pid, self, look); })) return false;
  bool told = true;
  for (size_t i = 0; i < found_count; ++i) told = FindChildrenOf(members[found[i]].pid, look) && told;
  if (!told) FindByParents(self, look);
  return true;
}

void SignalMember(const Member& member, int self, int signal_number) {
  if (member.parent == self) {
    // Nobody else can reap it, so the number is surely its own.
    (void)Call(SYS_kill, member.pid, signal_number);
    (void)Call(SYS_kill, member.pid, SIGCONT);
    return;
  }
  const auto pidfd = static_cast<int>(Call(SYS_pidfd_open, member.pid, 0));
  if (pidfd < 0) return;  // gone meanwhile
  // The number may have become a stranger's before it was opened. An orphan has changed its parent.
  const int parent = ParentOf(member.pid);
  if (parent == member.parent || parent == self) {
    (void)Call(SYS_pidfd_send_signal, pidfd, signal_number, nullptr, 0);
    (void)Call(SYS_pidfd_send_signal, pidfd, SIGCONT, nullptr, 0);
  }
  (void)Call(SYS_close, pidfd);
}

}  // namespace

bool SignalTree(int signal_number) {
  const auto self = static_cast<int>(Call(SYS_getpid));
  member_count = 0;
  for (int look = 1; look <= kLooks; ++look) {
    if (!Look(self, look)) return false;
    for (size_t i = 0; i < found_count; ++i) {
      Member& member = members[found[i]];
      if (!member.signalled) SignalMember(member, self, signal_number);
      member.signalled = true;
    }
  }
  return true;
}

}  // namespace quiesce::supervisor

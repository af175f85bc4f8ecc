// Settings of the kernel. Those that belong to a namespace of the arena are changed; those of the whole machine are set
// to what they are.
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "attack.h"

static bool DomainName(void) { return WriteText("/proc/sys/kernel/domainname", "attacked"); }
static bool Forwarding(void) { return WriteText("/proc/sys/net/ipv4/ip_forward", "1"); }
static bool HostName(void) { return !sethostname("attacked", 8); }
static bool CorePattern(void) { return WriteBack("/proc/sys/kernel/core_pattern"); }
static bool Swappiness(void) { return WriteBack("/proc/sys/vm/swappiness"); }
static bool SysFile(void) { return WriteBack("/sys/kernel/mm/transparent_hugepage/khugepaged/scan_sleep_millisecs"); }
static bool Interrupts(void) { return WriteBack("/proc/irq/default_smp_affinity"); }

static bool InterfaceDown(void) {
  struct ifreq request = {.ifr_name = "lo"};
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (ioctl(fd, SIOCGIFFLAGS, &request)) return false;
  request.ifr_flags = (short)(request.ifr_flags & ~IFF_UP);
  return !ioctl(fd, SIOCSIFFLAGS, &request);
}

const Attack kSettingAttacks[] = {
    {"sysctl", DomainName, kRootOnly, kSeenByChange, "sets a sysctl of its UTS namespace"},
    {"sysctl-network", Forwarding, kRootOnly, kSeenByChange, "sets a sysctl of its network namespace"},
    {"sysctl-memory", Swappiness, kRootOnly, kSeenByWord, "sets a sysctl of the machine"},
    {"core-pattern", CorePattern, kRootOnly, kSeenByWord, "sets the program that gets core dumps"},
    {"interrupts", Interrupts, kRootOnly, kSeenByWord, "sets where interrupts go, in /proc/irq"},
    {"sys-file", SysFile, kRootOnly, kSeenByWord, "writes to a file of /sys"},
    {"host-name", HostName, kRootOnly, kSeenByChange, "sethostname(2)"},
    {"interface-down", InterfaceDown, kRootOnly, kSeenByChange, "takes a network interface down"},
    {0},
};

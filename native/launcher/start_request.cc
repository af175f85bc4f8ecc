#include "launcher/start_request.h"

#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "launcher/protocol.h"
#include "os/file.h"
#include "os/message.h"

namespace quiesce {

namespace {

std::array<int, kStartNamespaces> NamespacesOf(const ChildConfinement& confinement) {
  return {confinement.user_namespace, confinement.network_namespace, confinement.ipc_namespace,
          confinement.mount_namespace, confinement.ruleset};
}

void AddText(std::string* body, const char* text) { body->append(text, strlen(text) + 1); }

uint32_t AddTexts(std::string* body, char* const* texts) {
  uint32_t count = 0;
  for (; texts[count] != nullptr; ++count) AddText(body, texts[count]);
  return count;
}

void AddConfinement(const ChildConfinement& confinement, StartHeader* header, std::string* body) {
  header->flags |= kConfined;
  header->root_count = static_cast<uint32_t>(confinement.root_count);
  for (size_t i = 0; i < confinement.root_count; ++i) {
    const StartRoot root{confinement.roots[i].inode, confinement.roots[i].mount};
    body->append(reinterpret_cast<const char*>(&root), sizeof root);
  }
  header->dropped_count = static_cast<uint32_t>(confinement.dropped_capability_count);
  std::copy_n(confinement.dropped_capabilities, confinement.dropped_capability_count,
              header->dropped_capabilities.begin());
}

std::string BodyOf(const ChildPlan& plan, StartHeader* header) {
  std::string body;
  if (plan.confinement != nullptr) AddConfinement(*plan.confinement, header, &body);
  AddText(&body, plan.cwd);
  if (plan.oom_score != nullptr) {
    header->flags |= kHasOomScore;
    AddText(&body, plan.oom_score);
  }
  if (plan.shell_argv != nullptr) {
    // What follows the program is the same as in argv.
    header->flags |= kHasShell;
    AddText(&body, plan.shell_argv[0]);
  }
  header->argv_count = AddTexts(&body, plan.argv);
  header->environment_count = AddTexts(&body, plan.environment);
  header->candidate_count = AddTexts(&body, plan.candidates);
  for (uint32_t i = 0; i < header->root_count; ++i) AddText(&body, plan.confinement->roots[i].path);
  return body;
}

// The fixed part that needs no body.
StartHeader HeaderOf(const ChildPlan& plan) {
  StartHeader header{};
  header.magic = kLauncherMagic;
  header.descriptor_count = static_cast<uint32_t>(plan.descriptor_count);
  for (size_t i = 0; i < plan.descriptor_count; ++i) header.targets[i] = plan.descriptors[i].target;
  header.closing_count = static_cast<uint32_t>(plan.closing_count);
  header.closings = plan.closings;
  header.process_limit_count = static_cast<uint32_t>(plan.limit_count);
  header.process_limits = plan.limits;
  if (plan.controlling_terminal) header.flags |= kHasTerminal;
  header.umask = plan.settings->umask;
  for (size_t i = 0; i < header.limits.size(); ++i) {
    header.limits[i] = {plan.settings->limits[i].rlim_cur, plan.settings->limits[i].rlim_max};
  }
  return header;
}

std::vector<int> DescriptorsOf(const ChildPlan& plan, int folder, StartHeader* header) {
  std::vector<int> fds{folder};
  for (size_t i = 0; i < plan.descriptor_count; ++i) fds.push_back(plan.descriptors[i].source);
  if (plan.confinement == nullptr) return fds;
  const auto namespaces = NamespacesOf(*plan.confinement);
  for (uint32_t kind = 0; kind < kStartNamespaces; ++kind) {
    if (namespaces[kind] < 0) continue;
    header->namespaces |= 1U << kind;
    fds.push_back(namespaces[kind]);
  }
  return fds;
}

}  // namespace

Status SendStart(int socket, const ChildPlan& plan, int folder) {
  StartHeader header = HeaderOf(plan);
  const std::string body = BodyOf(plan, &header);
  if (body.size() > kMostBodyBytes || header.root_count > kMostStartRoots) return SysError{E2BIG, "sendmsg", {}};
  header.body_size = body.size();
  std::vector<int> fds = DescriptorsOf(plan, folder, &header);
  UniqueFd file;
  iovec parts[] = {{&header, sizeof header}, {const_cast<char*>(body.data()), body.size()}};
  if (sizeof header + body.size() <= kMostMessageBytes) return SendMessage(socket, parts, fds);
  auto made = MakeSealedFile(body);
  if (!made.ok()) return made.error();
  file = std::move(made.value());
  fds.push_back(file.get());
  header.flags |= kBodyInMemfd;
  return SendMessage(socket, std::span(parts).first(1), fds);
}

}  // namespace quiesce

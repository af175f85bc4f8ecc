#include "range/supervised_plan.h"

#include <fcntl.h>

#include "supervisor/protocol.h"

namespace quiesce {

namespace {

static_assert(supervisor::kOomScoreDescriptor < kFirstFreeDescriptor);
static_assert(supervisor::kChannelDescriptor == kAttachmentDescriptor + 1);

char* Text(const char* text) { return const_cast<char*>(text); }  // execve takes what it does not change

}  // namespace

SupervisedPlan::SupervisedPlan(const ChildPlan& command, const SupervisorProgram& program, int channel)
    : plan_(command) {
  FillArguments(command, program);
  plan_.argv = arguments_.data();
  plan_.controlling_terminal = false;  // the supervisor is in another session
  plan_.executable = program.executable.get();
  plan_.descriptors[plan_.descriptor_count++] = {channel, supervisor::kChannelDescriptor};
  plan_.descriptors[plan_.descriptor_count++] = {program.host.get(), supervisor::kHostDescriptor};
  plan_.own_files[plan_.own_file_count++] = {"/proc/thread-self/children", O_RDONLY, supervisor::kChildrenDescriptor};
  plan_.own_files[plan_.own_file_count++] = {"/proc/self/oom_score_adj", O_WRONLY, supervisor::kOomScoreDescriptor};
  KeepOpen(plan_.executable);
}

void SupervisedPlan::FillArguments(const ChildPlan& command, const SupervisorProgram& program) {
  const bool leave = program.host_crash == HostCrash::kLeave;
  arguments_ = {Text("quiesce-supervisor"),
                Text(command.controlling_terminal ? supervisor::kSuperviseTerminal : supervisor::kSupervise),
                Text(leave ? supervisor::kLeaveOnHostCrash : supervisor::kEndOnHostCrash),
                Text(program.oom_score.c_str()), nullptr};
  char*& count = arguments_.back();
  size_t candidates = 0;
  while (command.candidates[candidates] != nullptr) ++candidates;
  candidate_count_ = std::to_string(candidates);
  count = candidate_count_.data();
  arguments_.insert(arguments_.end(), command.candidates, command.candidates + candidates);
  arguments_.insert(arguments_.end(), 2, Text("-"));
  for (char* const* argument = command.argv; *argument != nullptr; ++argument) arguments_.push_back(*argument);
  arguments_.push_back(nullptr);
}

// The supervisor's own descriptors survive the last closing, which goes up to the end; so does the program until it is
// executed.
void SupervisedPlan::KeepOpen(int executable) {
  const auto add = [this](unsigned first, unsigned last) {
    if (first <= last) plan_.closings[plan_.closing_count++] = {first, last};
  };
  const unsigned first = plan_.closings[--plan_.closing_count].first;
  const auto program = static_cast<unsigned>(executable);
  add(first, supervisor::kChannelDescriptor - 1);
  add(supervisor::kOomScoreDescriptor + 1, program - 1);
  add(program + 1, ~0U);
}

}  // namespace quiesce

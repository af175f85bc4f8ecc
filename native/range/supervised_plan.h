// The plan of a command turned into that of its supervisor, which is told everything that it needs to start the
// command.
#pragma once

#include <string>
#include <vector>

#include "range/supervisor_program.h"
#include "spawn/child.h"

namespace quiesce {

class SupervisedPlan {
 public:
  // Everything is borrowed. `channel` is the supervisor's end, at least kFirstFreeDescriptor.
  SupervisedPlan(const ChildPlan& command, const SupervisorProgram& program, int channel);
  SupervisedPlan(const SupervisedPlan&) = delete;
  SupervisedPlan& operator=(const SupervisedPlan&) = delete;

  [[nodiscard]] ChildPlan* plan() { return &plan_; }

 private:
  void FillArguments(const ChildPlan& command, const SupervisorProgram& program);
  void KeepOpen(int executable);

  ChildPlan plan_;
  std::string candidate_count_;
  std::vector<char*> arguments_;
};

}  // namespace quiesce

#include "addon/range_option.h"

#include "range/cgroup_range.h"
#include "range/group_range.h"
#include "range/supervisor_range.h"
#include "scope/scope_range.h"

namespace quiesce {

namespace {

LauncherOptions ToLauncherOptions(const Napi::Object& options, bool leave_on_crash) {
  LauncherOptions launcher;
  launcher.runner = options.Get("runner").As<Napi::String>().Utf8Value();
  launcher.environment = StringBlock(options.Get("environment").As<Napi::String>().Utf8Value());
  launcher.leave = leave_on_crash;
  launcher.patience = Millis(options.Get("patienceMs").As<Napi::Number>().DoubleValue());
  return launcher;
}

}  // namespace

std::shared_ptr<RangeSource> MakeRangeSource(const Napi::Object& options, const std::string& spill_folder,
                                             bool leave_on_crash) {
  const std::string kind = options.Get("kind").As<Napi::String>().Utf8Value();
  const HostCrash host_crash = leave_on_crash ? HostCrash::kLeave : HostCrash::kEnd;
  if (kind == "cgroup") {
    return std::make_shared<CgroupRangeSource>(options.Get("folder").As<Napi::String>().Utf8Value(), host_crash);
  }
  if (kind == "supervisor") {
    return std::make_shared<SupervisorRangeSource>(options.Get("program").As<Napi::String>().Utf8Value(), host_crash);
  }
  if (kind == "scope")
    return std::make_shared<ScopeRangeSource>(ToLauncherOptions(options, leave_on_crash), spill_folder);
  return std::make_shared<GroupRangeSource>();
}

}  // namespace quiesce

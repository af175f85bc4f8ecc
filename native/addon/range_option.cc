#include "addon/range_option.h"

#include "range/cgroup_range.h"
#include "range/group_range.h"
#include "range/supervisor_range.h"
#include "scope/scope_range.h"

namespace quiesce {

namespace {

LauncherOptions ToLauncherOptions(const Napi::Object& options) {
  LauncherOptions launcher;
  launcher.runner = options.Get("runner").As<Napi::String>().Utf8Value();
  launcher.environment = StringBlock(options.Get("environment").As<Napi::String>().Utf8Value());
  launcher.leave = options.Get("leave").As<Napi::Boolean>().Value();
  launcher.patience = Millis(options.Get("patienceMs").As<Napi::Number>().DoubleValue());
  return launcher;
}

}  // namespace

std::shared_ptr<RangeSource> MakeRangeSource(const Napi::Object& options, const std::string& spill_folder) {
  const std::string kind = options.Get("kind").As<Napi::String>().Utf8Value();
  if (kind == "cgroup") {
    return std::make_shared<CgroupRangeSource>(options.Get("folder").As<Napi::String>().Utf8Value());
  }
  if (kind == "supervisor") {
    return std::make_shared<SupervisorRangeSource>(options.Get("program").As<Napi::String>().Utf8Value(),
                                                   HostCrash::kEnd);
  }
  if (kind == "scope") return std::make_shared<ScopeRangeSource>(ToLauncherOptions(options), spill_folder);
  return std::make_shared<GroupRangeSource>();
}

}  // namespace quiesce

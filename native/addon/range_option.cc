#include "addon/range_option.h"

#include <string>

#include "range/cgroup_range.h"
#include "range/group_range.h"
#include "range/supervisor_range.h"

namespace quiesce {

std::shared_ptr<RangeSource> MakeRangeSource(const Napi::Object& options) {
  const std::string kind = options.Get("kind").As<Napi::String>().Utf8Value();
  if (kind == "cgroup") {
    return std::make_shared<CgroupRangeSource>(options.Get("folder").As<Napi::String>().Utf8Value());
  }
  if (kind == "supervisor") {
    return std::make_shared<SupervisorRangeSource>(options.Get("program").As<Napi::String>().Utf8Value(),
                                                   HostCrash::kEnd);
  }
  return std::make_shared<GroupRangeSource>();
}

}  // namespace quiesce

// The range of a runtime, from the option that names it.
#pragma once

#include <napi.h>

#include <memory>
#include <string>

#include "range/range.h"

namespace quiesce {

// NativeRangeOptions in src/native/binding.ts. `spill_folder` is where the runtime keeps its spill files.
std::shared_ptr<RangeSource> MakeRangeSource(const Napi::Object& options, const std::string& spill_folder,
                                             bool leave_on_crash);

}  // namespace quiesce

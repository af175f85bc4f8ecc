// The range of a runtime, from the option that names it.
#pragma once

#include <napi.h>

#include <memory>

#include "range/range.h"

namespace quiesce {

// NativeRangeOptions in src/native/binding.ts.
std::shared_ptr<RangeSource> MakeRangeSource(const Napi::Object& options);

}  // namespace quiesce

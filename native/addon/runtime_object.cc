#include "addon/runtime_object.h"

#include "addon/environment.h"
#include "addon/event_object.h"
#include "addon/process_object.h"
#include "addon/request.h"
#include "range/cgroup_range.h"
#include "range/group_range.h"

namespace quiesce {

Napi::Function RuntimeObject::Define(Napi::Env env) {
  return DefineClass(env, "Runtime",
                     {
                         InstanceMethod<&RuntimeObject::Spawn>("spawn"),
                         InstanceMethod<&RuntimeObject::ClaimSpill>("claimSpill"),
                         InstanceMethod<&RuntimeObject::Close>("close"),
                     });
}

RuntimeObject::RuntimeObject(const Napi::CallbackInfo& info) : Napi::ObjectWrap<RuntimeObject>(info) {
  auto* environment = info.Env().GetInstanceData<Environment>();
  const auto options = info[0].As<Napi::Object>();
  const Napi::Value folder = options.Get("cgroupFolder");
  std::shared_ptr<RangeSource> ranges;
  if (folder.IsString()) {
    ranges = std::make_shared<CgroupRangeSource>(folder.As<Napi::String>().Utf8Value());
  } else {
    ranges = std::make_shared<GroupRangeSource>();
  }
  auto spill_folder = std::make_shared<SpillFolder>(options.Get("spillFolder").As<Napi::String>().Utf8Value());
  runtime_ = std::make_shared<Runtime>(std::move(ranges), std::move(spill_folder), environment);
  environment->Add(runtime_);
}

Napi::Value RuntimeObject::Spawn(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  auto* environment = env.GetInstanceData<Environment>();
  if (!runtime_->open()) {
    Napi::Error::New(env, "the runtime is closed").ThrowAsJavaScriptException();
    return env.Undefined();
  }
  auto engine = environment->GetEngine();
  if (!engine.ok()) {
    Napi::Error error = Napi::Error::New(env, "the native core cannot start its threads");
    error.Set("systemError", ToObject(env, engine.error()));
    error.ThrowAsJavaScriptException();
    return env.Undefined();
  }
  ConvertedRequest converted = ConvertRequest(info[0].As<Napi::Object>());
  auto process = runtime_->Spawn(std::move(engine.value()), std::move(converted.request), std::move(converted.failure));
  return ProcessObject::Make(environment->process_class, runtime_, std::move(process), std::move(converted.raw));
}

Napi::Value RuntimeObject::ClaimSpill(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), runtime_->ClaimSpill(info[0].As<Napi::String>().Utf8Value()));
}

Napi::Value RuntimeObject::Close(const Napi::CallbackInfo& info) {
  const bool all_gone = runtime_->Close(std::chrono::milliseconds(info[0].As<Napi::Number>().Int64Value()));
  if (all_gone) info.Env().GetInstanceData<Environment>()->Forget(runtime_.get());
  return Napi::Boolean::New(info.Env(), all_gone);
}

}  // namespace quiesce

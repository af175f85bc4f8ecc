#include "addon/process_object.h"

#include "addon/event_batch.h"

namespace quiesce {

Napi::Function ProcessObject::Define(Napi::Env env) {
  return DefineClass(env, "Process",
                     {
                         InstanceAccessor<&ProcessObject::GetId>("id"),
                         InstanceAccessor<&ProcessObject::GetPid>("pid"),
                         InstanceAccessor<&ProcessObject::GetCause>("cause"),
                         InstanceMethod<&ProcessObject::Terminate>("terminate"),
                         InstanceMethod<&ProcessObject::Kill>("kill"),
                         InstanceMethod<&ProcessObject::TakeDescriptors>("takeDescriptors"),
                         InstanceMethod<&ProcessObject::Read>("read"),
                         InstanceMethod<&ProcessObject::GetTotal>("total"),
                         InstanceMethod<&ProcessObject::HasEnded>("ended"),
                         InstanceMethod<&ProcessObject::GetSpillError>("spillError"),
                         InstanceMethod<&ProcessObject::GetTrouble>("trouble"),
                         InstanceMethod<&ProcessObject::AccountMemory>("accountMemory"),
                     });
}

Napi::Value ProcessObject::Make(const Napi::FunctionReference& constructor, std::shared_ptr<Runtime> runtime,
                                std::shared_ptr<Process> process, RawStreams raw) {
  // A worker may be terminated at any moment; from then on every call into JavaScript fails and gives nothing. The
  // process itself belongs to the runtime, whose end is near.
  const Napi::Object object = constructor.New({});
  ProcessObject* self = object.IsEmpty() ? nullptr : Unwrap(object);
  if (self == nullptr) return {};
  self->runtime_ = std::move(runtime);
  self->process_ = std::move(process);
  self->raw_ = std::move(raw);
  return object;
}

void ProcessObject::Finalize(Napi::BasicEnv env) {
  if (accounted_ != 0) (void)Napi::MemoryManagement::AdjustExternalMemory(env, -accounted_);
}

Napi::Value ProcessObject::GetId(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), static_cast<double>(process_->id()));
}

Napi::Value ProcessObject::GetPid(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), process_->pid());
}

Napi::Value ProcessObject::GetCause(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), static_cast<int>(process_->cause()));
}

void ProcessObject::Terminate(const Napi::CallbackInfo& /*info*/) { runtime_->Terminate(process_); }

void ProcessObject::Kill(const Napi::CallbackInfo& /*info*/) { runtime_->Kill(process_); }

Napi::Value ProcessObject::TakeDescriptors(const Napi::CallbackInfo& info) {
  Napi::Array descriptors = Napi::Array::New(info.Env(), 4);
  UniqueFd* all[] = {&raw_.input, &raw_.output, &raw_.error, &raw_.control};
  for (uint32_t i = 0; i < 4; ++i) descriptors.Set(i, Napi::Number::New(info.Env(), all[i]->Release()));
  return descriptors;
}

const Collector& ProcessObject::Stream(const Napi::CallbackInfo& info) const {
  return info[0].As<Napi::Number>().Int32Value() == 0 ? *process_->output() : *process_->error();
}

Napi::Value ProcessObject::Read(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const double offset = info[1].As<Napi::Number>().DoubleValue();
  const OutputWindow window = Stream(info).ReadFrom(offset > 0 ? static_cast<uint64_t>(offset) : 0);
  Napi::Array result = Napi::Array::New(env, 5);
  result.Set(0U, window.bytes.empty() ? env.Null()
                                      : static_cast<Napi::Value>(Napi::Buffer<uint8_t>::Copy(env, window.bytes.data(),
                                                                                             window.bytes.size())));
  result.Set(1U, static_cast<double>(window.start));
  result.Set(2U, static_cast<double>(window.window_start));
  result.Set(3U, Napi::Boolean::New(env, window.ended));
  result.Set(
      4U, window.spill_path.empty() ? env.Null() : static_cast<Napi::Value>(Napi::String::New(env, window.spill_path)));
  return result;
}

Napi::Value ProcessObject::GetTotal(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), static_cast<double>(Stream(info).total()));
}

Napi::Value ProcessObject::HasEnded(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), Stream(info).ended());
}

Napi::Value ProcessObject::GetSpillError(const Napi::CallbackInfo& info) {
  const auto error = Stream(info).spill_error();
  return error.has_value() ? ToObject(info.Env(), *error) : info.Env().Null();
}

Napi::Value ProcessObject::GetTrouble(const Napi::CallbackInfo& info) {
  return ToObject(info.Env(), process_->trouble());
}

void ProcessObject::AccountMemory(const Napi::CallbackInfo& info) {
  int64_t held = 0;
  for (const auto& collector : {process_->output(), process_->error()}) {
    if (collector != nullptr) held += static_cast<int64_t>(collector->allocated());
  }
  if (held != accounted_) (void)Napi::MemoryManagement::AdjustExternalMemory(info.Env(), held - accounted_);
  accounted_ = held;
}

}  // namespace quiesce

#include <torch/script.h>

#include "data/base/error.hpp"
#include "data/base/words.hpp"
#include "train/models/embedder.hpp"

namespace procsim::train {
namespace {

class Scripted : public Backbone {
 public:
  Scripted(torch::jit::Module module, std::int64_t features)
      : Backbone({"module"}, features, imagenet_pixel_scale()), module_(std::move(module)) {
    module_.eval();
  }

  torch::Tensor run_stage(std::size_t, torch::Tensor input) override {
    return module_.forward({std::move(input)}).toTensor();
  }
  torch::Tensor pool(const torch::Tensor& activations) override {
    return activations.dim() == 4 ? activations.mean({2, 3}) : activations;
  }
  std::vector<torch::Tensor> stage_parameters(std::size_t) override {
    std::vector<torch::Tensor> list;
    for (const auto& parameter : module_.parameters()) list.push_back(parameter);
    return list;
  }
  torch::OrderedDict<std::string, torch::Tensor> state() override {
    torch::OrderedDict<std::string, torch::Tensor> all;
    for (const auto& item : module_.named_parameters()) all.insert(item.name, item.value);
    for (const auto& item : module_.named_buffers())
      if (!all.contains(item.name)) all.insert(item.name, item.value);
    return all;
  }
  std::string head_name() const override { return "procsim_head"; }
  using Backbone::to;
  void train(bool on) override { module_.train(on); }
  void to(torch::Device device, bool) override { module_.to(device); }

 private:
  torch::jit::Module module_;
};

}  // namespace

std::shared_ptr<Backbone> load_scripted_backbone(const std::filesystem::path& path, std::int64_t image_size) {
  try {
    auto module = torch::jit::load(path.string(), torch::kCPU);
    module.eval();
    const torch::NoGradGuard no_gradients;
    const auto probe = module.forward({torch::zeros({1, 3, image_size, image_size})});
    if (!probe.isTensor() || (probe.toTensor().dim() != 2 && probe.toTensor().dim() != 4))
      throw Error(path.string() +
                  ": the module must give batch × features or batch × features × height × width");
    return std::make_shared<Scripted>(std::move(module), probe.toTensor().size(1));
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {  // c10::Error and whatever the module's own code throws
    throw Error(path.string() +
                " is not a TorchScript module that takes images: " + first_line(error.what()));
  }
}

}  // namespace procsim::train

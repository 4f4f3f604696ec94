#include "train/models/row_products.hpp"

#include <ATen/core/List.h>
#include <ATen/core/dispatch/Dispatcher.h>

namespace procsim::train {
namespace {

// Below this many values laying out costs more than it wins.
constexpr std::int64_t kLeastValues = 1 << 20;

// Operators of the library without a place in its headers: what they take is looked up by name and handed
// over as a list, so that one that is missing is found when it is asked for.
std::optional<c10::OperatorHandle> product_operator() {
  return c10::Dispatcher::singleton().findSchema({"mkldnn::_linear_pointwise", ""});
}

std::optional<c10::OperatorHandle> layout_operator() {
  return c10::Dispatcher::singleton().findSchema({"mkldnn::_reorder_linear_weight", ""});
}

torch::Tensor call(const c10::OperatorHandle& handle, torch::jit::Stack stack) {
  handle.callBoxed(&stack);
  return stack.front().toTensor();
}

bool worth_packing(const torch::Tensor& matrix) {
  return matrix.numel() >= kLeastValues && matrix.device().is_cpu() &&
         matrix.scalar_type() == torch::kFloat32 && at::globalContext().userEnabledMkldnn() &&
         product_operator() && layout_operator();
}

}  // namespace

RowProducts::RowProducts(torch::Tensor matrix, std::int64_t rows_at_once) : matrix_(std::move(matrix)) {
  if (worth_packing(matrix_)) packed_ = call(*layout_operator(), {matrix_.contiguous(), rows_at_once});
}

torch::Tensor RowProducts::operator()(const torch::Tensor& rows) const {
  if (!packed() || rows.size(0) == 0) return torch::mm(rows, matrix_.t());
  const c10::List<std::optional<at::Scalar>> no_numbers;
  return call(*product_operator(),
              {rows.contiguous(), packed_, torch::IValue(), "none", no_numbers, torch::IValue()});
}

}  // namespace procsim::train

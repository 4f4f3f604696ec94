#include "train/scoring/prepared_rows.hpp"

#include <algorithm>
#include <vector>

#include "data/base/keyed_random.hpp"
#include "train/models/torch.hpp"
#include "train/scoring/task_threads.hpp"

namespace procsim::train {
namespace {

constexpr std::int64_t kExact = 4096;       // samples or dimensions whose square is decomposed
constexpr std::int64_t kBlockRows = 1024;   // turned to double at a time
constexpr std::int64_t kSpareVectors = 64;  // beyond those wanted, which a subspace iteration needs
constexpr int kIterations = 6;

torch::Tensor double_product(const torch::Tensor& left, const torch::Tensor& right) {
  return torch::mm(left.to(torch::kFloat64), right.to(torch::kFloat64));
}

// Axes of a symmetric matrix, the largest last. Single precision does where the matrix has full rank; with
// many equal eigenvalues (zeros) its iteration may not end.
torch::Tensor axes_of(const torch::Tensor& scatter, const torch::Tensor& rows) {
  try {
    const auto axes = std::get<1>(torch::linalg_eigh(scatter));
    if (torch::isfinite(axes).all().item<bool>()) return axes;
  } catch (const c10::LinAlgError&) {
    // Again below, with more digits.
  }
  auto precise = torch::zeros(scatter.sizes(), torch::kFloat64);
  for (std::int64_t first = 0; first < rows.size(0); first += kBlockRows) {
    const auto block = rows.slice(0, first, std::min(first + kBlockRows, rows.size(0))).to(torch::kFloat64);
    precise.addmm_(block.t(), block);
  }
  return std::get<1>(torch::linalg_eigh(precise)).to(torch::kFloat32);
}

// With X = U S Vᵀ the components X V are U S, and U, S² come from X Xᵀ: samples × samples.
torch::Tensor components_by_samples(const torch::Tensor& rows, std::int64_t dimensions) {
  const auto samples = rows.size(0);
  auto products = torch::zeros({samples, samples}, torch::kFloat64);
  for (std::int64_t first = 0; first < rows.size(1); first += kBlockRows) {
    const auto block = rows.slice(1, first, std::min(first + kBlockRows, rows.size(1))).to(torch::kFloat64);
    products.addmm_(block, block.t());
  }
  const auto [squares, vectors] = torch::linalg_eigh(products);
  const auto kept = std::min(samples, dimensions);
  const auto lengths = squares.slice(0, samples - kept).clamp_min(0).sqrt();
  auto components = torch::zeros({samples, dimensions});
  components.slice(1, dimensions - kept).copy_(vectors.slice(1, samples - kept) * lengths);
  return components;
}

// Subspace iteration from vectors that are drawn once and for all: the same for the same rows.
torch::Tensor components_by_iteration(const torch::Tensor& rows, std::int64_t dimensions) {
  const auto wanted = dimensions + kSpareVectors;
  auto basis = torch::empty({rows.size(1), wanted});
  float* values = basis.data_ptr<float>();
  const KeyedRandom random(1, "score/subspace");
  for (std::int64_t d = 0; d < rows.size(1); ++d) {
    auto draws = random.for_id(d);
    for (std::int64_t k = 0; k < wanted; ++k) values[d * wanted + k] = static_cast<float>(draws.normal());
  }
  for (int iteration = 0; iteration < kIterations; ++iteration)
    basis = std::get<0>(torch::linalg_qr(torch::mm(rows.t(), torch::mm(rows, basis))));
  const auto inside = torch::mm(rows, basis);
  const auto axes = std::get<1>(torch::linalg_eigh(double_product(inside.t(), inside)));
  return torch::mm(inside, axes.slice(1, wanted - dimensions).to(torch::kFloat32));
}

torch::Tensor components(const torch::Tensor& rows, std::int64_t dimensions) {
  const auto samples = rows.size(0);
  const auto width = rows.size(1);
  if (std::min(samples, width) > std::max(kExact, dimensions + kSpareVectors))
    return components_by_iteration(rows, dimensions);
  if (samples <= width) return components_by_samples(rows, dimensions);
  const auto axes = axes_of(torch::mm(rows.t(), rows), rows);
  return torch::mm(rows, axes.slice(1, width - dimensions).contiguous());
}

void to_unit_length(torch::Tensor& x) { x.div_(x.norm(2, 1, true).clamp_min(1e-12)); }

// Square roots where no number is negative, centred, unit length, centred: a table of its own, and what the
// two means were.
struct Centred {
  torch::Tensor rows, first_mean, second_mean;
  bool roots = false;

  explicit Centred(const torch::Tensor& table) : roots(table.min().item<float>() >= 0) {
    rows = roots ? table.sqrt() : table.clone();
    first_mean = rows.mean(0);
    rows.sub_(first_mean);
    to_unit_length(rows);
    second_mean = rows.mean(0);
    rows.sub_(second_mean);
  }
};

}  // namespace

torch::Tensor prepare_rows(const torch::Tensor& rows, std::int64_t dimensions) {
  torch::Tensor prepared;
  // One thread: sums come out the same on any machine with the same library.
  run_tasks(1, 1, [&](std::int64_t) {
    const auto x = Centred(rows.to(torch::kFloat32)).rows;
    prepared = x.size(1) > dimensions ? components(x, dimensions) : x;
  });
  return prepared;
}

PreparedRows::PreparedRows(const torch::Tensor& rows, std::int64_t dimensions)
    : table_(rows.to(torch::kFloat32).contiguous()), ready_(rows.size(1) > dimensions) {
  if (ready_) {
    table_ = prepare_rows(rows, dimensions).contiguous();
    return;
  }
  run_tasks(1, 1, [&](std::int64_t) {
    const Centred centred(table_);
    roots_ = centred.roots;
    first_mean_ = centred.first_mean;
    second_mean_ = centred.second_mean;
  });
}

torch::Tensor PreparedRows::of(std::span<const std::int64_t> samples) const {
  // Only read, though from_blob cannot say so.
  const auto indices = torch::from_blob(const_cast<std::int64_t*>(samples.data()),
                                        {static_cast<std::int64_t>(samples.size())}, torch::kInt64);
  auto x = table_.index_select(0, indices);
  if (ready_) return x;
  if (roots_) x.sqrt_();
  x.sub_(first_mean_);
  to_unit_length(x);
  x.sub_(second_mean_);
  return x;
}

}  // namespace procsim::train

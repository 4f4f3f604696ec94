#include "train/scoring/sample_places.hpp"

#include "train/models/torch.hpp"
#include "train/scoring/prepared_rows.hpp"

namespace procsim::train {

void fill_places(const torch::Tensor& embeddings, std::vector<ScoreRow>& rows) {
  const auto axes = prepare_rows(embeddings, 2).to(torch::kFloat32).contiguous();
  const auto width = axes.size(1);
  const auto* values = axes.data_ptr<float>();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto* row = values + static_cast<std::int64_t>(i) * width;
    rows[i].place = ScoreRow::Place{row[0], width > 1 ? row[1] : 0.0F};
  }
}

}  // namespace procsim::train

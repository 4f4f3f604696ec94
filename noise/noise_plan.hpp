#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "noise/guards.hpp"
#include "noise/noise_spec.hpp"
#include "noise/order_statistics.hpp"
#include "noise/rank.hpp"
#include "noise/target_model.hpp"
#include "taxonomy/tree/class_tree.hpp"
#include "taxonomy/tree/taxonomy.hpp"

namespace procsim::noise {

// How many rows of the split carry each label.
struct ClassCensus {
  std::vector<std::int64_t> counts;  // by label
  std::int64_t rows = 0;             // of the split, unlabelled ones included

  std::int64_t labelled() const;
  std::vector<std::int32_t> classes() const;  // that occur, ascending
};

// Images of another data set that stand in under known labels.
struct ForeignImages {
  struct Image {
    std::int64_t id = 0;
    std::string path;  // as it is written: relative to the root of the data set that is corrupted
  };
  std::string dataset;
  std::vector<Image> images;
};

// What a spec takes from files. Only what its components need must be there.
struct NoiseSources {
  std::shared_ptr<const taxonomy::Taxonomy> taxonomy;
  std::shared_ptr<const ClassMatrix> matrix;
  std::shared_ptr<const RivalTable> rivals;
  std::shared_ptr<const GivenLabels> replay;
  std::shared_ptr<const ForeignImages> foreign;
};

// What becomes of one label.
struct Fate {
  enum class What : std::uint8_t {
    kKept,      // was not drawn
    kChanged,   // `label` is the new class
    kForeign,   // the label stays, the image is replaced
    kNoTarget,  // drawn, but the model knows no other class for it
    kPhantom,   // drawn into a class that the split does not have: keeps its label
    kGuarded,   // drawn, but its class would become too small: keeps its label
  };
  What what = What::kKept;
  std::uint8_t component = 0;
  std::int32_t label = 0;
};

// Decides the fate of every label of a split, one at a time and in any order: it depends on the spec, the
// split's census, and the sample's id and label. Exact counts and guards need the whole split once more,
// through order_statistics() and CountGuard; until their outcome is set, the plan is the one without them.
//
// Const functions may be called from many threads.
class NoisePlan {
 public:
  // Throws Error when a source is missing or does not fit.
  NoisePlan(NoiseSpec spec, ClassCensus census, NoiseSources sources);

  const NoiseSpec& spec() const { return spec_; }
  const ClassCensus& census() const { return census_; }
  const NoiseSources& sources() const { return sources_; }

  // Samples of these classes cannot change because no component knows a target for them (label order).
  const std::vector<std::int32_t>& classes_without_target() const { return without_target_; }
  // May a sample of this class change at all?
  bool eligible(std::int32_t label) const { return label >= 0 && eligible_[static_cast<std::size_t>(label)]; }

  Rank rank(std::int64_t id) const { return {flips_.for_id(id).next_bits() >> 11, id}; }
  Fate fate(std::int64_t id, std::int32_t label) const;

  // Exact counts: feed every eligible sample as (group_of(label), rank(id)), pass after pass, then set them.
  OrderStatistics order_statistics() const;
  std::size_t group_of(std::int32_t label) const { return by_class_ ? static_cast<std::size_t>(label) : 0; }
  void set_cutoffs(const OrderStatistics& statistics);

  void set_guard(const CountGuard::Outcome& outcome);

  // Is the label of a sample without a true label its truth? Not where images were replaced before.
  bool trust_labels() const { return trust_labels_; }
  void set_trust_labels(bool trust) { trust_labels_ = trust; }

  // Open-set noise: the ranks of all samples with fate kForeign; each gets an image of its own, in keyed
  // order. Throws Error when there are more samples than images.
  void assign_images(std::vector<Rank> samples);
  const std::string& foreign_path(std::int64_t id) const;

 private:
  struct Component {
    NoiseKind kind;
    std::unique_ptr<TargetModel> model;  // null for open-set noise
    KeyedRandom random;
  };
  std::vector<double> rates_of(std::int32_t label) const;  // by component
  void add_component(NoiseKind kind, const std::shared_ptr<const taxonomy::ClassTree>& tree);
  std::vector<OrderStatistics::Group> exact_groups() const;

  NoiseSpec spec_;
  ClassCensus census_;
  NoiseSources sources_;
  KeyedRandom flips_;
  std::vector<Component> components_;
  std::vector<std::uint8_t> eligible_, present_;  // by label
  std::vector<std::int32_t> without_target_;
  std::vector<Rank> cutoffs_;  // label × component, cumulative
  std::vector<Rank> guard_;    // by label
  bool trust_labels_ = true;
  bool by_class_ = false;  // exact counts class by class
  std::vector<Rank> foreign_samples_;
  std::vector<std::size_t> foreign_order_;
};

}  // namespace procsim::noise

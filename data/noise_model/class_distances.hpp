#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "data/noise_model/scoring_options.hpp"

namespace procsim {

// How far classes are from each other, seen from one of them, in steps. In the class tree: how many steps up
// it is until the other is below too. From lists of classes that look alike: one step to the nearest, more to
// the next (LikenessOptions), most to those that are not on the list. Without either every other class is one
// step away.
class ClassDistances {
 public:
  explicit ClassDistances(std::int64_t class_count);
  // `alike[c]` holds the classes nearest to class c, nearest first; options.three_steps are enough, more are
  // ignored.
  ClassDistances(const std::vector<std::vector<std::int32_t>>& alike, const LikenessOptions& options);
  // From a tree: the parent of every node (−1: the root, which is node 0), and the node of every class
  // (taxonomy/tree/tree_distances.hpp makes them from a class tree).
  ClassDistances(std::vector<std::int32_t> parents, std::span<const std::int32_t> nodes);

  // The labels that samples of class c carry most besides their own, if any: the same steps, after a first
  // one that leads to them alone.
  using DominantConfusions = std::array<std::int32_t, 2>;  // kNone: no more of them
  static constexpr std::int32_t kNone = -1;
  ClassDistances with_dominant_confusions(std::vector<DominantConfusions> dominant) const;

  std::int64_t classes() const { return static_cast<std::int64_t>(chains_.size()); }
  int steps() const { return steps_ + (dominant_.empty() ? 0 : 1); }  // to the root, from the deepest class
  // Steps from `from` to the lowest ancestor that also holds `to`; 0 for the class itself.
  int distance(std::int64_t from, std::int64_t to) const;
  // Classes other than `from` below its ancestor that many steps up; the root's beyond it.
  std::int64_t others_below(std::int64_t from, int step) const;

  std::size_t node_count() const { return parents_.size(); }
  std::int32_t parent(std::size_t node) const { return parents_[node]; }  // −1: the root, which is node 0
  // Nodes from the root to the class, parents before children.
  std::span<const std::int32_t> chain(std::int64_t of) const { return chains_[static_cast<std::size_t>(of)]; }

 private:
  void count_below();
  int plain_distance(std::int64_t from, std::int64_t to) const;
  std::int64_t plain_others_below(std::int64_t from, int step) const;

  std::vector<std::int32_t> alike_;  // classes × alike_width_; empty with a tree
  std::int64_t alike_width_ = 0;
  std::array<std::int64_t, 3> reach_{};  // how many of them are within one, two, three steps
  std::vector<std::int32_t> parents_;
  std::vector<std::int64_t> below_;  // classes below a node
  std::vector<std::vector<std::int32_t>> chains_;
  int steps_ = 1;
  std::vector<DominantConfusions> dominant_;  // a class each, or empty
};

}  // namespace procsim

#include "train/frame/component.hpp"

// Methods that are a loss weighted by a trust: what their names stand for.
namespace procsim::train {
namespace {

MethodComponent composition(const std::string& name, const std::string& description,
                            const std::string& source, nlohmann::ordered_json settings) {
  MethodComponent method;
  method.name = name;
  method.description = description;
  method.source = source;
  method.settings = std::move(settings);
  return method;
}

}  // namespace

MethodComponent procsim_method() {
  return composition("procsim", "Multi-Similarity weighted by the confidence in each label, as published",
                     "Barbany et al., WACV 2024",
                     {{"loss", "ms"},
                      {"confidence", "procsim"},
                      {"confidence_from", "proxy-nca"},
                      {"confidence_scope", "anchor"},
                      {"threshold", "otsu"},
                      {"average_over", "samples"}});
}

MethodComponent procsim_means_method() {
  return composition("procsim-means",
                     "the same from class means of the whole set, on pairs, over the trust given", "ours",
                     {{"loss", "ms"},
                      {"confidence", "procsim"},
                      {"confidence_from", "class-means"},
                      {"confidence_scope", "pair"},
                      {"threshold", "otsu"}});
}

MethodComponent procsim_posterior_method() {
  return composition(
      "procsim-posterior",
      "the same by the probability that each label is right; wrong ones count as the class believed in",
      "ours",
      {{"loss", "ms"},
       {"confidence", "posterior"},
       {"confidence_scope", "pair"},
       {"average_over", "trust"},
       {"warmup", 0}});
}

MethodComponent ms_method() {
  return composition("ms", "Multi-Similarity, every label trusted", "Wang et al. 2019",
                     {{"loss", "ms"}, {"confidence", "none"}});
}

MethodComponent superloss_method() {
  return composition("superloss", "contrastive loss, a confidence on every pair", "Castells et al. 2020",
                     {{"loss", "contrastive"}, {"confidence", "superloss"}, {"confidence_scope", "anchor"}});
}

MethodComponent oracle_method() {
  return composition("oracle", "Multi-Similarity on the labels that are right: an upper bound", "ours",
                     {{"loss", "ms"}, {"confidence", "oracle"}});
}

}  // namespace procsim::train

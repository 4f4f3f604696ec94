#include "train/frame/component.hpp"
#include "train/methods/self_distillation.hpp"

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
  if (!method.settings.contains("distillation")) method.settings["distillation"] = "off";
  return method;
}

// A loss whose labels are all trusted.
MethodComponent trusting(const std::string& loss, const std::string& description, const std::string& source) {
  return composition(loss, description, source, {{"loss", loss}, {"confidence", "none"}});
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
  return trusting("ms", "Multi-Similarity, every label trusted", "Wang et al. 2019");
}

MethodComponent ms_plg_method() {
  return composition("ms+plg", "Multi-Similarity with language guidance, every label trusted",
                     "Roth et al. 2022", {{"loss", "ms"}, {"confidence", "none"}, {"guidance", "plg"}});
}

MethodComponent superloss_method() {
  return composition("superloss", "contrastive loss, a confidence on every pair", "Castells et al. 2020",
                     {{"loss", "contrastive"}, {"confidence", "superloss"}, {"confidence_scope", "anchor"}});
}

MethodComponent oracle_method() {
  return composition("oracle", "Multi-Similarity on the labels that are right: an upper bound", "ours",
                     {{"loss", "ms"}, {"confidence", "oracle"}});
}

MethodComponent proxy_nca_method() {
  return trusting("proxy-nca", "every sample towards the proxy of its class",
                  "Movshovitz-Attias et al. 2017, Teh et al. 2020");
}

MethodComponent proxy_anchor_method() {
  return trusting("proxy-anchor", "every proxy as the anchor of the batch", "Kim et al. 2020");
}

MethodComponent contrastive_method() {
  return trusting("contrastive", "distances of pairs against two margins", "Chopra et al. 2005");
}

MethodComponent triplet_method() {
  return trusting("triplet", "semi-hard triplets, in three published forms", "Schroff et al. 2015");
}

MethodComponent lifted_method() {
  return trusting("lifted", "lifted structure, original or generalised",
                  "Song et al. 2016, Hermans et al. 2017");
}

MethodComponent fastap_method() {
  return trusting("fastap", "average precision over soft histograms", "Cakir et al. 2019");
}

MethodComponent nsoftmax_method() {
  return trusting("nsoftmax", "softmax over cosines to class weights", "Zhai & Wu 2019");
}

MethodComponent soft_triple_method() {
  return trusting("soft-triple", "softmax over several centres of every class", "Qian et al. 2019");
}

MethodComponent circle_method() {
  return trusting("circle", "pairs weighted by how far they are from where they should be",
                  "Sun et al. 2020");
}

MethodComponent subcentre_arcface_method() {
  return trusting("subcentre-arcface", "an angular margin to the nearest of several centres",
                  "Deng et al. 2020");
}

MethodComponent mcl_method() {
  return trusting("mcl", "contrastive loss with a memory across batches", "Wang et al. 2020 (XBM)");
}

MethodComponent mcl_prism_method() {
  return composition("mcl+prism", "the same, on the labels that the memory makes likely", "Liu et al. 2021",
                     {{"loss", "mcl"},
                      {"confidence", "prism"},
                      {"confidence_scope", "anchor"},
                      {"average_over", "samples"}});
}

MethodComponent soft_triple_prism_method() {
  return composition("soft-triple+prism", "SoftTriple on the labels that a memory makes likely",
                     "Liu et al. 2021",
                     {{"loss", "soft-triple"},
                      {"confidence", "prism"},
                      {"confidence_scope", "anchor"},
                      {"average_over", "trust"}});
}

MethodComponent sgps_method() {
  return composition("sgps", "PRISM's selection; samples it drops learn from a prototype of their subgroup",
                     "Yu et al. 2024, subgroups in our reading",
                     {{"loss", "sgps"},
                      {"confidence", "prism"},
                      {"confidence_scope", "anchor"},
                      {"average_over", "samples"}});
}

MethodComponent lsd_method() {
  auto method = composition("lsd", "any loss (--loss), and similarities near those of an epoch ago",
                            "Zeng et al. 2022", {{"confidence", "none"}, {"distillation", "lsd"}});
  method.state = "the model of an epoch ago";
  method.options = option_infos<SelfDistillationOptions>("lsd");
  method.check = option_check<SelfDistillationOptions>("lsd");
  return method;
}

MethodComponent f_correction_method() {
  return trusting("f-correction", "cross-entropy corrected by the noise's matrix, taken as uniform",
                  "Patrini et al. 2017");
}

MethodComponent gmm_method() {
  return composition(
      "gmm", "normalised softmax on the labels whose loss is a low one (DivideMix's selection)",
      "Li et al. 2020", {{"loss", "nsoftmax"}, {"confidence", "gmm"}, {"confidence_scope", "anchor"}});
}

MethodComponent ahs_method() {
  return trusting("ahs", "Multi-Similarity, triplet or lifted with margins that follow the classes",
                  "Yan et al. 2021, in our reading");
}

}  // namespace procsim::train

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace procsim::train {

// Everything that decides what a run computes. It is written to the run's config.json, and a run is resumed
// with it. The defaults are the paper's for CUB where it gives one; presets change them (docs/training.md).
struct TrainConfig {
  std::string preset = "default";

  // Method. Which names there are is the registry's matter (train/methods/registry.hpp).
  std::string method = "composed";  // what the following four compose, by name; composed: nobody named it
  std::string loss = "ms";
  std::string confidence = "procsim";
  std::string confidence_from = "proxy-nca";  // proxy-nca, ms, class-means
  std::string confidence_scope = "anchor";    // anchor, pair
  std::string threshold = "otsu";             // otsu, gmm, mean
  double lambda = 1.0;
  std::int64_t warmup = 0;  // epochs at the start in which every label is trusted
  std::string average_over =
      "samples";                     // samples (the paper), trust: what the weighted losses are divided by
  std::string distillation = "off";  // off, lsd: what the model of an epoch ago is asked for
  double noise_rate = -1;            // share of wrong labels, for methods that need it; −1: from true labels

  // Proxies
  double proxy_scale = 1;
  double proxy_lr = 1e-3;
  std::string proxy_init = "random";  // random, means
  bool joint_proxies = false;         // the mean proxy loss also moves the embedding

  // Model
  std::string backbone = "small";  // a name of architecture.hpp, or a TorchScript file
  std::string weights;             // safetensors; empty: the backbone's own file in the model folder, or none
  std::int64_t dimension = 512;
  std::string head_init = "auto";   // auto: pca on pretrained backbones, else random
  std::string train_from;           // the first stage that learns; empty: all
  std::string batch_norm = "auto";  // frozen, learn; auto: frozen on pretrained backbones

  // Optimisation
  std::string optimizer = "adam";  // adam, adamw, sgd
  double lr = 1e-4;
  double momentum = 0.9;  // sgd
  double weight_decay = 4e-4;
  std::int64_t epochs = 150;
  std::int64_t batch = 90;
  std::int64_t per_class = 2;

  // Images
  std::int64_t image_size = 224;
  double crop_scale = 0.08;    // least area of a random crop
  double centre_crop = 0.875;  // side of the test crop as a part of the shorter side
  bool flip = true;
  std::int64_t views = 4;  // augmented views per image that --train-from keeps, beside the centre crop

  // Evaluation
  std::int64_t eval_every = 1;
  std::vector<std::int64_t> recall_at{1, 2, 4, 8};
  bool nmi = true;

  std::int64_t fold_models =
      0;  // networks that judge the labels at the end, each blind to a fold; 0: the run's own
  std::uint64_t seed = 1;
  std::string precision = "fp32";  // fp32, bf16, auto (settled when a run starts)

  // Guidance: the self-supervised term
  std::string guidance = "off";  // off, plg, image, image:FILE (sample_id, vector), file:FILE (name, vector)
  double omega = 10;             // its weight
  double guidance_shift = 1;  // added to its similarities (the paper: 1; 0: on the scale of the embedding's)
  bool confidence_on_guidance = false;
  std::string guidance_per = "class";  // pseudo-labels of a class or of a sample
  std::int64_t guidance_ranks = 5;     // pseudo-labels of each
  std::string guidance_backbone = "efficientnet-lite0";
  std::string guidance_weights;  // safetensors; empty: the backbone's file in the model folder
  std::string text_encoder = "all-minilm-l6-v2";  // a folder, or its name in the model folder
  std::string text_pooling = "mean";              // mean, cls

  // Options of losses, trusts and methods, by name (ms_alpha). One that is missing has its default.
  nlohmann::ordered_json options = nlohmann::ordered_json::object();

  // Throws UsageError that names the option, the value and the choices. Names of components and their options
  // are checked by the registry.
  void validate() const;
};

// Calls visit(group, name, field, help) for every field, in the order that help and config.json have them.
// The option on the command line is the name with dashes.
template <typename Config, typename Visitor>
void visit_fields(Config& config, Visitor&& visit) {
  visit("Method", "method", config.method, "A loss and a confidence by the name of their method");
  visit("Method", "loss", config.loss, "What the embedding learns from");
  visit("Method", "confidence", config.confidence, "How far labels are trusted");
  visit("Method", "confidence_from", config.confidence_from,
        "Loss that the confidence comes from: proxy-nca, ms, or class-means (once an epoch, over the whole "
        "set)");
  visit("Method", "confidence_scope", config.confidence_scope,
        "anchor (the paper) or pair: doubted samples also leave the pairs of others");
  visit("Method", "threshold", config.threshold, "otsu, gmm or mean");
  visit("Method", "lambda", config.lambda,
        "How hard the confidence falls above the threshold; small = harder");
  visit("Method", "warmup", config.warmup, "Epochs at the start in which every label is trusted");
  visit("Method", "average_over", config.average_over,
        "What the weighted losses are divided by: samples (the paper), or trust, that of the samples which "
        "contribute");
  visit("Method", "distillation", config.distillation,
        "off, or lsd: similarities stay near those of the model of an epoch ago");
  visit("Method", "noise_rate", config.noise_rate,
        "Share of wrong labels, for methods that need it (-1: the label set's own, where its true labels are "
        "known)");
  visit("Guidance", "guidance", config.guidance,
        "off, plg (pseudo-labels in words), image (the classifier's features), image:FILE or file:FILE "
        "(vectors of samples or of class names, Parquet; also a table of 'guide')");
  visit("Guidance", "omega", config.omega, "Weight of the guidance");
  visit("Guidance", "guidance_shift", config.guidance_shift,
        "Added to the guidance's similarities: 1 (the paper) or 0 (the scale of the embedding's own)");
  visit("Guidance", "confidence_on_guidance", config.confidence_on_guidance,
        "The confidence weights the guidance too (true or false)");
  visit("Guidance", "guidance_per", config.guidance_per, "Pseudo-labels of each class or each sample");
  visit("Guidance", "guidance_ranks", config.guidance_ranks, "Pseudo-labels of each");
  visit("Guidance", "guidance_backbone", config.guidance_backbone,
        "ImageNet classifier of the pseudo-labels");
  visit("Guidance", "guidance_weights", config.guidance_weights,
        "Its weights with 1,000 outputs (safetensors)");
  visit("Guidance", "text_encoder", config.text_encoder,
        "BERT folder (model.safetensors, vocab.txt, config.json), or its name in the model folder");
  visit("Guidance", "text_pooling", config.text_pooling, "mean or cls");
  visit("Proxies", "proxy_scale", config.proxy_scale, "Scale of the proxy distances");
  visit("Proxies", "proxy_lr", config.proxy_lr, "Adam's rate for the proxies");
  visit("Proxies", "proxy_init", config.proxy_init,
        "random, or means: start at the class means of the start model");
  visit("Proxies", "joint_proxies", config.joint_proxies,
        "The proxy loss also moves the embedding (true or false)");
  visit("Model", "backbone", config.backbone,
        "A network ('procsim-train models --all' lists them) or a TorchScript file");
  visit("Model", "weights", config.weights, "Pretrained weights (safetensors), or none");
  visit("Model", "dimension", config.dimension, "Length of the embedding");
  visit("Model", "head_init", config.head_init, "auto, pca or random");
  visit("Model", "train_from", config.train_from, "Freeze what lies below this stage and keep its output");
  visit("Model", "batch_norm", config.batch_norm, "Statistics: auto, frozen or learn");
  visit("Optimisation", "optimizer", config.optimizer, "adam, adamw or sgd");
  visit("Optimisation", "lr", config.lr, "Learning rate");
  visit("Optimisation", "momentum", config.momentum, "Momentum of sgd");
  visit("Optimisation", "weight_decay", config.weight_decay, "Weight decay");
  visit("Optimisation", "epochs", config.epochs, "Epochs");
  visit("Optimisation", "batch", config.batch, "Samples in a batch");
  visit("Optimisation", "per_class", config.per_class, "Samples of each class in a batch");
  visit("Images", "image_size", config.image_size, "Side of the network's input in pixels");
  visit("Images", "crop_scale", config.crop_scale, "Least part of the area that a random crop keeps");
  visit("Images", "centre_crop", config.centre_crop, "Part of the shorter side that the test crop keeps");
  visit("Images", "flip", config.flip, "Mirror half of the training images (true or false)");
  visit("Images", "views", config.views, "Augmented views per image that --train-from keeps");
  visit("Evaluation", "eval_every", config.eval_every, "Evaluate every so many epochs (the last one always)");
  visit("Evaluation", "recall_at", config.recall_at, "K of Recall@K");
  visit("Evaluation", "nmi", config.nmi, "Cluster the test embeddings for NMI too (true or false)");
  visit("Evaluation", "fold_models", config.fold_models,
        "Networks that judge the labels at the end, each trained without a part of them (0: the run's own)");
  visit("Machine", "seed", config.seed, "Seed of every random draw");
  visit("Machine", "precision", config.precision, "fp32 or bf16");
}

// What --backbone can name, beside the file of a TorchScript module (.pt or .ts).
const std::vector<std::string>& backbone_names();
bool is_torchscript(std::string_view backbone);

// auto, cpu, cuda or cuda:N; whether there is such a GPU is not asked. Throws UsageError for others.
void check_device_name(std::string_view name);

// An option of a loss, a trust or a method: --ms-alpha on the command line, ms_alpha in config.json.
struct OptionInfo {
  std::string name;
  std::string help;
  nlohmann::ordered_json default_value;  // its type is the option's

  bool operator==(const OptionInfo&) const = default;
};

// Every field, then the options that are set.
nlohmann::ordered_json to_json(const TrainConfig& config);
// Unknown and missing fields are errors that name `source`; those that came later may be missing. `options`
// are known beside the fields; one that is missing has its default afterwards.
TrainConfig config_from_json(const nlohmann::ordered_json& json, std::string_view source,
                             std::span<const OptionInfo> options = {});

// cub200, cars196, sop, fieldguide with the paper's values, …-best with the best we found, and default.
const std::vector<std::string>& preset_names();
TrainConfig preset_config(std::string_view name);  // throws UsageError with the nearest name
// The preset that fits a data set by its name: its …-best where there is one, else default.
std::string preset_for_dataset(std::string_view dataset);
std::vector<std::string> presets_of_datasets();  // all that it may return

}  // namespace procsim::train

// Features of random pictures by a pretrained backbone, for bench/backbone_speed.py: prints the seconds of
// processor and wall time that an image takes, and the peak memory.
//
//   backbone_forward_benchmark BACKBONE WEIGHTS.safetensors IMAGES BATCH fp32|bf16
#include <chrono>
#include <cstdio>
#include <ctime>
#include <string>

#include <malloc.h>
#include <sys/resource.h>

#include "train/models/device.hpp"
#include "train/models/pretrained.hpp"

int main(int argc, char** argv) {
  using namespace procsim::train;
  if (argc != 6) {
    std::fprintf(stderr, "usage: backbone_forward_benchmark BACKBONE WEIGHTS IMAGES BATCH fp32|bf16\n");
    return 2;
  }
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // as procsim-train sets it
  mallopt(M_TRIM_THRESHOLD, 2000 << 20);
  torch::set_num_threads(1);
  const std::string name = argv[1];
  const std::int64_t images = std::stoll(argv[3]), batch = std::stoll(argv[4]);
  Embedder model(make_backbone(name, 1, false), 8, 1);
  load_pretrained(model, name, argv[2]);
  model.to(torch::kCPU);
  model.train_mode(false);
  const auto size = find_architecture(name)->input.size;
  torch::manual_seed(1);
  const auto pixels = torch::randn({batch, 3, size, size}).contiguous(torch::MemoryFormat::ChannelsLast);
  const PrecisionScope precision(argv[5], torch::kCPU);  // over all batches, as procsim-train has it
  const auto run = [&] { return model.features(pixels); };
  run();
  const auto start = std::chrono::steady_clock::now();
  const auto cpu = std::clock();
  for (std::int64_t done = 0; done < images; done += batch) run();
  const double used = static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC;
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  const auto count = static_cast<double>((images + batch - 1) / batch * batch);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("{\"cpu\": %.6f, \"wall\": %.6f, \"peak_mb\": %ld}\n", used / count, wall.count() / count,
              usage.ru_maxrss / 1024);
  return 0;
}

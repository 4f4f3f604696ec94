#include "train/processes/process_group.hpp"

#include <algorithm>
#include <cstring>

#include <c10/util/Logging.h>
#include <fmt/format.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#ifdef USE_C10D_NCCL
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>
#endif
#include <unistd.h>

#include "data/base/process.hpp"
#include "data/base/words.hpp"
#include "train/processes/bucketed_sum.hpp"
#include "train/processes/peers.hpp"

namespace procsim::train {
namespace {

using std::chrono::milliseconds;
using Work = c10::intrusive_ptr<c10d::Work>;

constexpr std::chrono::seconds kLongestMeeting{300};
constexpr int kFatalAlone = 3;  // of LibTorch's levels of logging

// Torch's errors have a trace of calls below their first line.
std::string cause_of(const std::exception& error) { return std::string(first_line(error.what())); }

std::string host_name() {
  char name[256] = {};
  ::gethostname(name, sizeof(name) - 1);
  return name;
}

torch::Tensor bytes_of(const std::string& text) {
  auto bytes = torch::empty({static_cast<std::int64_t>(text.size())}, torch::kUInt8);
  std::memcpy(bytes.data_ptr(), text.data(), text.size());
  return bytes;
}

std::string text_of(const torch::Tensor& bytes) {
  return {static_cast<const char*>(bytes.data_ptr()), static_cast<std::size_t>(bytes.numel())};
}

// Outlives an attempt where torchrun keeps the store.
constexpr const char* kKept = "procsim/kept";

c10::intrusive_ptr<c10d::Store> open_store(const Launch& launch, milliseconds timeout) {
  c10d::TCPStoreOptions options;
  options.port = launch.port;
  options.isServer = !launch.store_is_there && launch.rank == 0;
  options.waitWorkers = !launch.store_is_there;
  if (options.waitWorkers) options.numWorkers = static_cast<std::size_t>(launch.size);
  options.timeout = timeout;
  return c10::make_intrusive<c10d::TCPStore>(launch.address, options);
}

}  // namespace

struct ProcessGroup::State {
  Launch launch;
  std::chrono::seconds timeout{};
  c10::intrusive_ptr<c10d::Store> store;
  c10::intrusive_ptr<c10d::Backend> gloo, nccl;
  Peers peers;
  bool lost = false;

  // Tensors on a GPU are exchanged there with NCCL; all others, and without NCCL, on the CPU.
  bool by_nccl(const torch::Tensor& tensor) const { return nccl && tensor.is_cuda(); }
  c10d::Backend& backend(const torch::Tensor& wired) const { return by_nccl(wired) ? *nccl : *gloo; }
  torch::Tensor wired(const torch::Tensor& tensor) const {
    return (by_nccl(tensor) ? tensor : tensor.cpu()).contiguous();
  }

  template <typename Exchange>
  void exchange(const Exchange& run) {
    if (lost) throw LostProcess("another process of this run was lost before");
    try {
      run();
    } catch (const std::exception& error) {
      lost = true;
      throw LostProcess(what_was_lost(peers, cause_of(error), timeout));
    }
  }
  std::vector<torch::Tensor> gather(const torch::Tensor& own);  // of one shape
  std::vector<std::string> gather_texts(const std::string& own);
  torch::Tensor gather_matrices(const torch::Tensor& own, std::int64_t& first);
};

std::vector<torch::Tensor> ProcessGroup::State::gather(const torch::Tensor& own) {
  std::vector<torch::Tensor> inputs{wired(own)};
  std::vector<std::vector<torch::Tensor>> outputs(1);
  for (std::int64_t rank = 0; rank < launch.size; ++rank)
    outputs.front().push_back(torch::empty_like(inputs.front()));
  exchange([&] { backend(inputs.front()).allgather(outputs, inputs)->wait(); });
  return outputs.front();
}

std::vector<std::string> ProcessGroup::State::gather_texts(const std::string& own) {
  const auto sizes = gather(torch::tensor({static_cast<std::int64_t>(own.size())}, torch::kInt64));
  std::int64_t most = 0;
  for (const auto& size : sizes) most = std::max(most, size.item<std::int64_t>());
  auto padded = own;
  padded.resize(static_cast<std::size_t>(most));
  std::vector<std::string> texts;
  const auto parts = gather(bytes_of(padded));
  for (std::size_t rank = 0; rank < parts.size(); ++rank)
    texts.push_back(text_of(parts[rank].narrow(0, 0, sizes[rank].item<std::int64_t>())));
  return texts;
}

// `first`: where this process's rows begin. All send as many rows as the one with the most.
torch::Tensor ProcessGroup::State::gather_matrices(const torch::Tensor& own, std::int64_t& first) {
  const auto shapes = gather(torch::tensor({own.size(0), own.size(0) == 0 ? 0 : own.size(1)}, torch::kInt64));
  const auto rows_of = [&](std::size_t rank) { return shapes[rank].select(0, 0).item<std::int64_t>(); };
  std::int64_t rows = 0, columns = 0;
  for (std::size_t rank = 0; rank < shapes.size(); ++rank) {
    rows = std::max(rows, rows_of(rank));
    columns = std::max(columns, shapes[rank].select(0, 1).item<std::int64_t>());
  }
  first = 0;
  for (std::int64_t rank = 0; rank < launch.rank; ++rank) first += rows_of(static_cast<std::size_t>(rank));
  auto padded = own;
  if (own.size(0) < rows) {
    padded = torch::zeros({rows, columns}, own.options());
    if (own.size(0) > 0) padded.narrow(0, 0, own.size(0)).copy_(own);
  }
  const auto parts = gather(padded);
  std::vector<torch::Tensor> all;
  for (std::size_t rank = 0; rank < parts.size(); ++rank)
    all.push_back(parts[rank].narrow(0, 0, rows_of(rank)));
  return torch::cat(all).to(own.device());
}

namespace {

using GatherMatrices = std::function<torch::Tensor(const torch::Tensor& own, std::int64_t& first)>;

struct GatherRows : torch::autograd::Function<GatherRows> {
  static torch::Tensor forward(torch::autograd::AutogradContext* context, const torch::Tensor& own,
                               const GatherMatrices& gather) {
    std::int64_t first = 0;
    auto all = gather(own, first);
    context->saved_data["first"] = first;
    context->saved_data["count"] = own.size(0);
    return all;
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& gradients) {
    return {
        gradients[0].narrow(0, context->saved_data["first"].toInt(), context->saved_data["count"].toInt()),
        {}};
  }
};

}  // namespace

ProcessGroup::ProcessGroup(const Launch& launch, std::chrono::seconds timeout)
    : state_(std::make_shared<State>()) {
  state_->launch = launch;
  state_->timeout = timeout;
  FLAGS_caffe2_log_level = kFatalAlone;  // a lost connection is one line of ours, not pages of LibTorch's
  const auto meeting = std::min(timeout, kLongestMeeting);
  try {
    state_->store = open_store(launch, meeting);
    state_->store->setTimeout(meeting);
    const c10::intrusive_ptr<c10d::Store> attempt =
        c10::make_intrusive<c10d::PrefixStore>(fmt::format("procsim/{}", launch.attempt), state_->store);
    const auto options = c10d::ProcessGroupGloo::Options::create_default(timeout);
    state_->gloo = c10::make_intrusive<c10d::ProcessGroupGloo>(attempt, static_cast<int>(launch.rank),
                                                               static_cast<int>(launch.size), options);
#ifdef USE_C10D_NCCL
    if (torch::cuda::is_available())
      state_->nccl = c10::make_intrusive<c10d::ProcessGroupNCCL>(
          c10::make_intrusive<c10d::PrefixStore>("nccl", attempt), static_cast<int>(launch.rank),
          static_cast<int>(launch.size));
#endif
    state_->peers = {launch.rank, state_->gather_texts(host_name()), state_->gather_texts(this_process())};
  } catch (const std::exception& error) {
    throw Error(
        fmt::format("process {} of {} did not meet the others at {}:{} within {} s ({}). See that "
                    "all were started and reach this address (MASTER_ADDR, MASTER_PORT).",
                    launch.rank, launch.size, launch.address, launch.port, meeting.count(), cause_of(error)));
  }
}

// With a process lost, the group would wait for it in its destructor: it is left to the end of this one.
ProcessGroup::~ProcessGroup() {
  if (state_->lost) state_->gloo.release();
}

std::int64_t ProcessGroup::rank() const { return state_->launch.rank; }
std::int64_t ProcessGroup::size() const { return state_->launch.size; }

std::int64_t ProcessGroup::rank_on_host() const { return state_->peers.rank_on_host(); }
std::int64_t ProcessGroup::size_on_host() const { return state_->peers.size_on_host(); }

torch::Tensor ProcessGroup::gather_rows(const torch::Tensor& own) {
  const GatherMatrices gather = [state = state_](const torch::Tensor& rows, std::int64_t& first) {
    return state->gather_matrices(rows, first);
  };
  return GatherRows::apply(own, gather);
}

std::unique_ptr<GradientSum> ProcessGroup::gradient_sum(std::vector<torch::Tensor> parameters) {
  return std::make_unique<BucketedSum>(std::move(parameters), [state = state_](torch::Tensor& values) {
    std::vector<torch::Tensor> wired{state->wired(values)};
    Work work;
    state->exchange([&] { work = state->backend(wired.front()).allreduce(wired); });
    return [state, work, wired, values]() mutable {
      state->exchange([&] { work->wait(); });
      if (!wired.front().is_same(values)) values.copy_(wired.front());
    };
  });
}

void ProcessGroup::take_from_first(const std::vector<torch::Tensor>& tensors) {
  const torch::NoGradGuard no_gradients;
  for (const auto& tensor : tensors) {
    std::vector<torch::Tensor> wired{state_->wired(tensor)};
    state_->exchange([&] { state_->backend(wired.front()).broadcast(wired)->wait(); });
    if (!wired.front().is_same(tensor)) tensor.copy_(wired.front());
  }
}

std::string ProcessGroup::text_from_first(const std::string& own) {
  auto size = torch::tensor({static_cast<std::int64_t>(own.size())}, torch::kInt64);
  take_from_first({size});
  auto bytes = first() ? bytes_of(own) : torch::empty({size.item<std::int64_t>()}, torch::kUInt8);
  if (bytes.numel() > 0) take_from_first({bytes});
  return text_of(bytes);
}

bool ProcessGroup::any(bool own) {
  std::vector<torch::Tensor> answer{torch::tensor({own ? 1 : 0}, torch::kInt64)};
  c10d::AllreduceOptions options;
  options.reduceOp = c10d::ReduceOp::MAX;
  state_->exchange([&] { state_->gloo->allreduce(answer, options)->wait(); });
  return answer.front().item<std::int64_t>() > 0;
}

void ProcessGroup::keep(const std::string& word) {
  state_->exchange([&] { state_->store->set(kKept, std::vector<std::uint8_t>(word.begin(), word.end())); });
}

std::string ProcessGroup::kept() {
  std::string word;
  state_->exchange([&] {
    if (!state_->store->check({kKept})) return;
    const auto bytes = state_->store->get(kKept);
    word.assign(bytes.begin(), bytes.end());
  });
  return word;
}

std::shared_ptr<Processes> join_processes(const Launch& launch, std::chrono::seconds timeout) {
  if (launch.size == 1 && !launch.store_is_there) return one_process();
  return std::make_shared<ProcessGroup>(launch, timeout);
}

}  // namespace procsim::train

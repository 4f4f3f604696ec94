"""The paper's losses and confidence, and ours, for a training loop of your own: torch.nn.Modules over torch.ops.procsim.*

    confidence = procsim.nn.ProcSimConfidence()
    proxies = procsim.nn.ProxyNCALoss(classes, dimension, reduction="none")
    loss_fn = procsim.nn.MultiSimilarityLoss(reduction="none")
    ...
    sigma = confidence(proxies(embeddings.detach(), labels))
    loss = (sigma * loss_fn(embeddings, labels)).mean()

Ours look at the whole training set once an epoch instead of at a batch:

    confidence = procsim.nn.PosteriorConfidence(classes)
    for epoch in range(epochs):
        weight, counts_as = confidence(all_embeddings, all_labels)      # a row a sample, in one order
        ...
        loss = (weight[i] * loss_fn(embeddings, counts_as[i], confidence=weight[i])).mean()

Embeddings need not be normalised. The losses take what the trainers of pytorch-metric-learning pass to a loss_fn.
"""
import torch

from . import _libraries
from ._errors import UsageError

_libraries.train()
ops = torch.ops.procsim

__all__ = ["ClassMeansConfidence", "MultiSimilarityLoss", "OtsuThreshold", "PosteriorConfidence", "ProcSimConfidence",
           "ProxyNCALoss"]


def _check_rows(embeddings, labels):
    if embeddings.dim() != 2 or labels.shape != embeddings.shape[:1]:
        raise UsageError(f"embeddings {tuple(embeddings.shape)} and labels {tuple(labels.shape)}: give a row of numbers "
                         "and a label for each sample")


def _check_set(embeddings, labels, classes):
    _check_rows(embeddings, labels)
    if len(labels) == 0:
        raise UsageError("embeddings: there are none")
    if not torch.isfinite(embeddings).all():
        raise UsageError("embeddings: a value is NaN or infinite")
    if labels.min() < 0 or labels.max() >= classes:
        raise UsageError(f"labels from {labels.min()} to {labels.max()}: must be in 0 … {classes - 1}, classes - 1")


class _Loss(torch.nn.Module):
    def __init__(self, reduction):
        super().__init__()
        if reduction not in ("mean", "sum", "none"):
            raise UsageError(f"reduction='{reduction}': mean, sum or none")
        self.reduction = reduction

    def _reduced(self, values):
        return values if self.reduction == "none" else getattr(values, self.reduction)()

    @staticmethod
    def _unit(embeddings, labels):
        _check_rows(embeddings, labels)
        return torch.nn.functional.normalize(embeddings, dim=1)


class MultiSimilarityLoss(_Loss):
    """Multi-Similarity (Wang et al. 2019) with its mining; a value a sample with reduction="none".

    confidence (forward): how far each sample is trusted as a partner of others, in [0, 1]; at 0.5 or below it is none.
    """

    def __init__(self, alpha=2.0, beta=40.0, delta=0.5, epsilon=0.1, mining=True, reduction="mean"):
        super().__init__(reduction)
        self.alpha, self.beta, self.delta, self.epsilon, self.mining = alpha, beta, delta, epsilon, mining
        for name in ("alpha", "beta"):
            if not getattr(self, name) > 0:
                raise UsageError(f"{name}: must be above 0")

    def forward(self, embeddings, labels, indices_tuple=None, confidence=None):
        return self._reduced(ops.multi_similarity(self._unit(embeddings, labels), labels, confidence, self.alpha, self.beta,
                                                  self.delta, self.epsilon, self.mining))


class ProxyNCALoss(_Loss):
    """Proxy-NCA with one learnt proxy a class, the positive in the denominator (the paper's Eq. 1)."""

    def __init__(self, classes, dimension, scale=1.0, reduction="mean"):
        super().__init__(reduction)
        if not scale > 0:
            raise UsageError("scale: must be above 0")
        self.scale = scale
        self.proxies = torch.nn.Parameter(torch.randn(classes, dimension))

    def forward(self, embeddings, labels, indices_tuple=None):
        return self._reduced(ops.proxy_nca(self._unit(embeddings, labels), self.proxies, labels, self.scale))


class OtsuThreshold(torch.nn.Module):
    """Otsu's threshold over a batch of losses; NaN where there is nothing to split. No gradient."""

    def forward(self, losses):
        return ops.otsu_threshold(losses.detach())


class ProcSimConfidence(torch.nn.Module):
    """σ of each sample: 1 below the batch's threshold, falling with the loss above it (the paper's Eq. 3). No gradient.

    threshold: "otsu" or "gmm". After a call `last_threshold` is τ, NaN where the batch could not be split.
    """

    def __init__(self, lambda_=1.0, threshold="otsu"):
        super().__init__()
        if not lambda_ > 0:
            raise UsageError("lambda_: must be above 0")
        if threshold not in ("otsu", "gmm"):
            raise UsageError(f"threshold='{threshold}': otsu or gmm")
        self.lambda_, self.threshold = lambda_, threshold
        self.last_threshold = None

    def forward(self, losses):
        sigma, self.last_threshold = ops.confidence(losses.detach(), self.lambda_, self.threshold)
        return sigma


class ClassMeansConfidence(torch.nn.Module):
    """σ of every sample of the training set against the means of the classes, each without the sample itself.

    Call it once an epoch with the embeddings of the whole set: `--confidence-from class-means` of procsim-train. No
    gradient. After a call `last_losses` are what σ follows from and `last_threshold` is τ. Labels are 0 … classes − 1.
    """

    def __init__(self, classes, scale=6.0, lambda_=0.01, threshold="otsu", rounds=3):
        super().__init__()
        for name, value in (("scale", scale), ("lambda_", lambda_), ("rounds", rounds)):
            if not value > 0:
                raise UsageError(f"{name}: must be above 0")
        if threshold not in ("otsu", "gmm"):
            raise UsageError(f"threshold='{threshold}': otsu or gmm")
        self.classes, self.scale, self.lambda_, self.threshold, self.rounds = classes, scale, lambda_, threshold, rounds
        self.last_losses = self.last_threshold = None

    def forward(self, embeddings, labels):
        _check_set(embeddings, labels, self.classes)
        sigma, self.last_losses, self.last_threshold = ops.class_means_confidence(
            embeddings.detach(), labels, self.classes, self.scale, self.lambda_, self.threshold, self.rounds)
        return sigma


class PosteriorConfidence(torch.nn.Module):
    """The probability that each label is right, by judges that have not seen it: `--method procsim-posterior`.

    Call it once an epoch with the embeddings of the whole training set, always in the same order. Returns the weight
    of every sample and the class that it counts as: its label, or with relabel=True the one that is believed in more.
    memory is how much of what earlier epochs believed stays; state_dict has it. No gradient. Labels are
    0 … classes − 1; ids (default: 0, 1, …) decide who is judged with whom, as sample ids do in the program.
    """

    def __init__(self, classes, rounds=1, memory=0.5, relabel=True, seed=1):
        super().__init__()
        if not 1 <= rounds <= 20:
            raise UsageError("rounds: must be in [1, 20]")
        if not 0 <= memory < 1:
            raise UsageError("memory: must be in [0, 1)")
        self.classes, self.rounds, self.memory, self.relabel, self.seed = classes, rounds, memory, relabel, seed
        self.forget()

    def forget(self):
        """As before the first epoch."""
        self._epoch, self._believed = 0, []

    def forward(self, embeddings, labels, ids=None):
        _check_set(embeddings, labels, self.classes)
        if ids is None:
            ids = torch.arange(len(labels))
        if ids.shape != labels.shape:
            raise UsageError(f"ids {tuple(ids.shape)} and labels {tuple(labels.shape)}: give an id for each sample")
        if self._believed and len(self._believed[0]) != len(labels):
            raise UsageError(f"{len(labels)} samples now and {len(self._believed[0])} in the epoch before: give all of them, "
                             "or call forget() first")
        weight, counts_as, self._believed = ops.posterior_confidence(
            embeddings.detach(), labels, ids, self.classes, self.rounds, self.memory, self.relabel, self.seed, self._epoch,
            self._believed)
        self._epoch += 1
        return weight, counts_as

    def get_extra_state(self):
        return {"epoch": self._epoch, "believed": list(self._believed)}

    def set_extra_state(self, state):
        self._epoch, self._believed = state["epoch"], list(state["believed"])

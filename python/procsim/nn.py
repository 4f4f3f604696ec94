"""The paper's losses and confidence for a training loop of your own: torch.nn.Modules over torch.ops.procsim.*

    confidence = procsim.nn.ProcSimConfidence()
    proxies = procsim.nn.ProxyNCALoss(classes, dimension, reduction="none")
    loss_fn = procsim.nn.MultiSimilarityLoss(reduction="none")
    ...
    sigma = confidence(proxies(embeddings.detach(), labels))
    loss = (sigma * loss_fn(embeddings, labels)).mean()

Embeddings need not be normalised. The modules take what the trainers of pytorch-metric-learning pass to a loss_fn.
"""
import torch

from . import _libraries
from ._errors import UsageError

_libraries.train()
ops = torch.ops.procsim

__all__ = ["MultiSimilarityLoss", "OtsuThreshold", "ProcSimConfidence", "ProxyNCALoss"]


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
        if embeddings.dim() != 2 or labels.shape != embeddings.shape[:1]:
            raise UsageError(f"embeddings {tuple(embeddings.shape)} and labels {tuple(labels.shape)}: give a row of "
                             "numbers and a label for each sample")
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

"""The operators against torch.autograd.gradcheck and pytorch-metric-learning."""
import math

import pytest
import torch
from pytorch_metric_learning import distances, losses, miners

import procsim.nn

torch.manual_seed(5)
EMBEDDINGS = torch.randn(18, 6, dtype=torch.float64)
LABELS = torch.arange(18) % 6


def unit(rows):
    return torch.nn.functional.normalize(rows, dim=1)


@pytest.mark.parametrize("mining", [False, True])
def test_gradients_of_multi_similarity(mining):
    loss = procsim.nn.MultiSimilarityLoss(mining=mining, reduction="none")
    assert torch.autograd.gradcheck(lambda rows: loss(rows, LABELS), EMBEDDINGS.clone().requires_grad_())
    confidence = torch.linspace(0.6, 1, 18, dtype=torch.float64)
    assert torch.autograd.gradcheck(lambda rows: loss(rows, LABELS, confidence=confidence),
                                    EMBEDDINGS.clone().requires_grad_())


def test_gradients_of_proxy_nca_to_both_sides():
    proxies = torch.randn(6, 6, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda rows, ps: torch.ops.procsim.proxy_nca(unit(rows), ps, LABELS, 3.0),
                                    (EMBEDDINGS.clone().requires_grad_(), proxies))


def test_multi_similarity_is_pytorch_metric_learning_s():
    theirs = losses.MultiSimilarityLoss(alpha=2, beta=40, base=0.5, distance=distances.CosineSimilarity())
    for mining in (False, True):
        ours = procsim.nn.MultiSimilarityLoss(alpha=2, beta=40, delta=0.5, epsilon=0.1, mining=mining)
        mined = miners.MultiSimilarityMiner(epsilon=0.1)(EMBEDDINGS, LABELS) if mining else None
        torch.testing.assert_close(ours(EMBEDDINGS, LABELS), theirs(EMBEDDINGS, LABELS, mined))


def test_proxy_nca_is_pytorch_metric_learning_s():
    theirs = losses.ProxyNCALoss(num_classes=6, embedding_size=6, softmax_scale=3).double()
    ours = procsim.nn.ProxyNCALoss(6, 6, scale=3.0).double()
    with torch.no_grad():
        ours.proxies.copy_(theirs.proxies)
    torch.testing.assert_close(ours(EMBEDDINGS, LABELS), theirs(EMBEDDINGS, LABELS))


def test_confidence_follows_the_paper():
    low, high = [0.1, 0.12, 0.14, 0.2], [1.9, 2.1, 2.2, 2.3]
    given = torch.tensor(low + high, dtype=torch.float64)
    threshold = procsim.nn.OtsuThreshold()(given)
    assert threshold == pytest.approx((0.2 + 1.9) / 2)
    module = procsim.nn.ProcSimConfidence(lambda_=0.5)
    sigma = module(given)
    assert module.last_threshold == threshold and (sigma[:4] == 1).all()
    for loss, value in zip(high, sigma[4:].tolist()):
        x = (loss - float(threshold)) / (2 * 0.5)
        w = -math.log(value)  # σ = exp(−W(x)), so W(x)·exp(W(x)) = x
        assert w * math.exp(w) == pytest.approx(x)
    assert (module(torch.ones(8)) == 1).all() and torch.isnan(module.last_threshold)


def test_confidence_is_a_constant_for_the_gradient():
    rows = EMBEDDINGS.clone().requires_grad_()
    values = procsim.nn.MultiSimilarityLoss(reduction="none")(rows, LABELS)
    sigma = procsim.nn.ProcSimConfidence()(values)
    assert not sigma.requires_grad and sigma.shape == values.shape
    (sigma * values).mean().backward()
    assert torch.isfinite(rows.grad).all()


def test_what_does_not_fit_is_said():
    with pytest.raises(procsim.Error, match="a label for each sample"):
        procsim.nn.MultiSimilarityLoss()(EMBEDDINGS, LABELS[:5])
    with pytest.raises(procsim.Error, match="alpha"):
        procsim.nn.MultiSimilarityLoss(alpha=0)
    with pytest.raises(procsim.Error, match="otsu or gmm"):
        procsim.nn.ProcSimConfidence(threshold="median")


def test_can_be_traced_with_fake_tensors():
    """What torch.compile does first, without a compiler."""
    from torch.fx.experimental.proxy_tensor import make_fx

    def step(rows, labels):
        values = torch.ops.procsim.multi_similarity(unit(rows), labels, None, 2.0, 40.0, 0.5, 0.1, True)
        sigma, _ = torch.ops.procsim.confidence(values.detach(), 1.0, "otsu")
        return (sigma * values).mean()
    traced = make_fx(step, tracing_mode="fake")(EMBEDDINGS, LABELS)
    torch.testing.assert_close(traced(EMBEDDINGS, LABELS), step(EMBEDDINGS, LABELS))


def test_a_step_with_it_in_a_loop_of_one_s_own():
    network = torch.nn.Linear(6, 4)
    proxies = procsim.nn.ProxyNCALoss(6, 4)
    optimizer = torch.optim.Adam([*network.parameters(), *proxies.parameters()], lr=0.05)
    rows = EMBEDDINGS.float()
    values = []
    for _ in range(30):
        loss = proxies(network(rows), LABELS)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        values.append(loss.item())
    assert values[-1] < values[0]

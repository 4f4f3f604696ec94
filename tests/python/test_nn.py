"""The operators against torch.autograd.gradcheck and pytorch-metric-learning, and what ours makes of wrong labels."""
import math
import shutil

import numpy as np
import pytest
import torch
from pytorch_metric_learning import distances, losses, miners, trainers

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


def clusters(classes=6, each=40, wrong=0.3):
    """Rows around their class means, the labels given and the true ones."""
    random = np.random.default_rng(11)
    truth = np.repeat(np.arange(classes), each)
    rows = random.normal(size=(classes, 16))[truth] + 0.5 * random.normal(size=(len(truth), 16))
    labels = np.where(random.uniform(size=len(truth)) < wrong, (truth + random.integers(1, classes, len(truth))) % classes, truth)
    return torch.tensor(rows, dtype=torch.float32), torch.tensor(labels), torch.tensor(truth)


def test_class_means_follow_their_definition():
    rows, labels, _ = clusters(classes=4, each=8)
    module = procsim.nn.ClassMeansConfidence(4, scale=3.0, lambda_=0.2, rounds=1)
    sigma = module(3 * rows, labels)
    x = unit(rows.double()).numpy()
    for i, loss in enumerate(module.last_losses.tolist()):
        cosines = []
        for c in range(4):
            mean = x[[j for j in range(32) if labels[j] == c and j != i]].sum(0)
            cosines.append(mean @ x[i] / np.linalg.norm(mean))
        logits = 2 * 3.0 * np.array(cosines)
        assert loss == pytest.approx(np.log(np.exp(logits - logits[labels[i]]).sum()), abs=1e-5)
    # σ follows from these losses as it does from any.
    torch.testing.assert_close(sigma, procsim.nn.ProcSimConfidence(0.2)(module.last_losses))
    assert module.last_threshold == procsim.nn.OtsuThreshold()(module.last_losses)


def test_ours_find_the_wrong_labels():
    rows, labels, truth = clusters()
    wrong = labels != truth
    rows.requires_grad_()
    sigma = procsim.nn.ClassMeansConfidence(6)(rows, labels)
    assert not sigma.requires_grad and sigma.dtype == rows.dtype
    assert sigma[~wrong].mean() > 0.9 and sigma[wrong].mean() < 0.1
    weight, counts_as = procsim.nn.PosteriorConfidence(6)(rows, labels)
    assert not weight.requires_grad and counts_as.dtype == labels.dtype
    assert (counts_as == truth)[wrong].float().mean() > 0.9
    assert (counts_as == labels)[~wrong].float().mean() > 0.95
    weight, counts_as = procsim.nn.PosteriorConfidence(6, relabel=False)(rows, labels)
    assert (counts_as == labels).all()
    assert weight[wrong].mean() < 0.2 < 0.8 < weight[~wrong].mean()


def test_what_was_believed_is_remembered_and_saved():
    rows, labels, _ = clusters()
    blurred = rows + 2 * torch.randn(rows.shape, generator=torch.Generator().manual_seed(2))
    module, fresh = procsim.nn.PosteriorConfidence(6, relabel=False), procsim.nn.PosteriorConfidence(6, relabel=False)
    first = module(rows, labels)[0]
    fresh.load_state_dict(module.state_dict())
    second = module(blurred, labels)[0]
    assert torch.equal(fresh(blurred, labels)[0], second)
    forgetful = procsim.nn.PosteriorConfidence(6, relabel=False, memory=0.0)
    forgetful(rows, labels)
    torch.testing.assert_close(second, (first + forgetful(blurred, labels)[0]) / 2)
    with pytest.raises(procsim.Error, match="forget"):
        module(rows[:100], labels[:100])
    module.forget()
    assert torch.equal(module(rows, labels)[0], first)


def test_ours_say_what_does_not_fit():
    rows, labels, _ = clusters()
    for module in (procsim.nn.ClassMeansConfidence(3), procsim.nn.PosteriorConfidence(3)):
        with pytest.raises(procsim.Error, match="0 … 2"):
            module(rows, labels)
    with pytest.raises(procsim.Error, match="NaN"):
        procsim.nn.PosteriorConfidence(6)(rows * float("nan"), labels)
    with pytest.raises(procsim.Error, match="a label for each"):
        procsim.nn.ClassMeansConfidence(6)(rows, labels[:7])
    with pytest.raises(procsim.Error, match="memory"):
        procsim.nn.PosteriorConfidence(6, memory=1)
    with pytest.raises(RuntimeError, match="labels are numbers from 0 to 2"):
        torch.ops.procsim.class_means_confidence(rows, labels, 3, 6.0, 0.01, "otsu", 3)


def test_a_step_compiled():
    """With the machine's compiler where there is one, else up to it."""
    network = torch.nn.Linear(6, 4)
    proxies, confidence = procsim.nn.ProxyNCALoss(6, 4, reduction="none"), procsim.nn.ProcSimConfidence()
    loss_fn = procsim.nn.MultiSimilarityLoss(reduction="none")

    def step(rows, labels):
        embeddings = network(rows)
        judged = proxies(embeddings.detach(), labels)
        return (confidence(judged) * loss_fn(embeddings, labels)).mean() + judged.mean()

    def gradients(loss):
        return torch.autograd.grad(loss, [*network.parameters(), *proxies.parameters()])

    rows = EMBEDDINGS.float()
    compiled = torch.compile(step, backend="inductor" if shutil.which("g++") else "aot_eager")
    loss = compiled(rows, LABELS)
    torch.testing.assert_close(loss, step(rows, LABELS))
    for ours, wanted in zip(gradients(loss), gradients(step(rows, LABELS))):
        torch.testing.assert_close(ours, wanted)


@pytest.mark.parametrize("name", ["ms", "proxy-nca"])
def test_as_loss_fn_of_a_trainer(name):
    """pytorch-metric-learning's own loop, with its miner's choice passed to us."""
    torch.manual_seed(1)
    loss_fn = procsim.nn.MultiSimilarityLoss() if name == "ms" else procsim.nn.ProxyNCALoss(6, 4)
    trunk = torch.nn.Linear(16, 4)
    rows, labels, _ = clusters(wrong=0)
    before = loss_fn(trunk(rows), labels).item()
    optimizers = {"trunk_optimizer": torch.optim.Adam(trunk.parameters(), lr=0.05)}
    if name == "proxy-nca":
        optimizers["metric_loss_optimizer"] = torch.optim.Adam(loss_fn.parameters(), lr=0.05)
    trainer = trainers.MetricLossOnly(
        models={"trunk": trunk}, optimizers=optimizers, batch_size=24, loss_funcs={"metric_loss": loss_fn},
        mining_funcs={"tuple_miner": miners.MultiSimilarityMiner()}, dataset=torch.utils.data.TensorDataset(rows, labels),
        dataloader_num_workers=0, data_device=torch.device("cpu"), dtype=torch.float32)
    trainer.train(num_epochs=3)
    assert loss_fn(trunk(rows), labels).item() < before

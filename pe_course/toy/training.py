"""What the toy is asked to do, how it learns, and how well it has learned: fresh random sequences in every batch.

A task takes ids, int64 (batch, length), and gives the right answers, the same shape.
"""

import sys
from contextlib import contextmanager

import torch
from torch import nn
from torch.nn.functional import cross_entropy, one_hot


def reverse(ids):
    """The sequence backwards: the answer at a position is the token as far from the other end. Needs order."""
    return ids.flip(1)


def previous(ids):
    """The token on the left; the first token, which has none, answers with itself. Needs order."""
    return torch.cat([ids[:, :1], ids[:, :-1]], dim=1)


def most_common(ids):
    """At every position the token that occurs most often, of equals the smallest. Does *not* need order."""
    return one_hot(ids).sum(1).argmax(1, keepdim=True).expand_as(ids)


def train(model, task, steps=300, lr=3e-3, seed=0, batch=32, lengths=(12, 12), progress=None):
    """Train ``model`` in place, with Adam, and return the loss at each step: a list of floats.

    Arguments
        task      a function of ids (batch, length) that gives the right answers, (batch, length)
        seed      the same seed gives the same sequences, whatever else has drawn random numbers
        lengths   the shortest and the longest sequence, in tokens; each batch has one length, drawn between them
        progress  write a line that is renewed during training; None: only where somebody watches
    """
    random = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=lr, fused=True)  # fused: a fifth faster for small tensors
    losses = []
    with one_thread(), progress_line(progress) as show:
        for step in range(1, steps + 1):
            length = int(torch.randint(lengths[0], lengths[1] + 1, (), generator=random))
            ids = torch.randint(model.classes, (batch, length), generator=random)
            loss = cross_entropy(model(ids).flatten(0, 1), task(ids).flatten())
            _step(optimizer, loss)
            losses.append(loss.item())
            if step % 25 == 0:
                show(f"step {step:,} of {steps:,}, loss {losses[-1]:.3f}")
    return losses


def _step(optimizer, loss):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def fit(examples, steps=500, seed=0, lr=3e-3):
    """Train a network of two hidden layers, 64 wide, with Adam on the mean square error, and return it.

    It reads numbers, such as the coordinate of a curve.

    examples  called with a `torch.Generator` at each step; gives inputs, (n, columns), and targets, (n,)
    seed      the same seed gives the same starting weights and the same random numbers for ``examples``

    The network takes (n, columns) and gives (n,). The caller's random state stays as it was.
    """
    random = torch.Generator().manual_seed(seed)
    inputs, target = examples(random)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        layers = nn.Linear(inputs.shape[1], 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1)
    network = nn.Sequential(*layers, nn.Flatten(0))
    optimizer = torch.optim.Adam(network.parameters(), lr=lr, fused=True)
    with one_thread():
        for _ in range(steps):
            _step(optimizer, (network(inputs) - target).square().mean())
            inputs, target = examples(random)
    return network


@torch.no_grad()
def accuracy(model, task, length=12, first=0, batches=32, batch=32, seed=1_000_000):
    """The share of right answers, 0 to 1, at positions ``first`` to ``length`` - 1 of new sequences.

    They come in batches as large as in training: there are mistakes that depend on it. The model is in eval mode
    meanwhile. Raises ValueError for a ``first`` that is not a position of the sequence.
    """
    if not 0 <= first < length:
        raise ValueError(f"first must lie between 0 and length - 1 = {length - 1}, but got {first}")
    random = torch.Generator().manual_seed(seed)
    right = []
    with one_thread(), in_eval(model):
        for _ in range(batches):
            ids = torch.randint(model.classes, (batch, length), generator=random)
            right.append((model(ids).argmax(2) == task(ids))[:, first:])
    return torch.stack(right).float().mean().item()


@contextmanager
def in_eval(model):
    was_training = model.training
    model.eval()
    try:
        yield
    finally:
        model.train(was_training)


@contextmanager
def one_thread():
    """A second thread does not speed up matrices as small as the toy's, and a single one adds up in a fixed order."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


@contextmanager
def progress_line(wanted):
    """A function that writes its text over the text before. At the end the line is wiped, so that nothing is stored."""
    wanted = somebody_watches() if wanted is None else wanted
    width = 0

    def show(text):
        nonlocal width
        if wanted:
            width = max(width, len(text))
            print(f"\r{text:{width}}", end="", flush=True)

    yield show
    if width:
        print(f"\r{'':{width}}\r", end="", flush=True)


def somebody_watches():
    """A terminal, or a notebook that a person runs: one that could be asked a question. Tests and CI could not."""
    if "ipykernel" in sys.modules:
        from IPython import get_ipython

        return bool(getattr(getattr(get_ipython(), "kernel", None), "_allow_stdin", False))
    return sys.stdout.isatty()

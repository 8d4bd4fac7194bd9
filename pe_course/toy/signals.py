"""Small networks that read numbers, such as the coordinate of a curve (lesson 11)."""

import torch
from torch import nn

from .training import one_thread


def fit(examples, steps=500, seed=0, lr=3e-3):
    """Train a network of two hidden layers, 64 wide, with Adam on the mean square error, and return it.

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
            optimizer.zero_grad()
            (network(inputs) - target).square().mean().backward()
            optimizer.step()
            inputs, target = examples(random)
    return network

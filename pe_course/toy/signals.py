"""Small networks that read a number: the time of a denoiser, the coordinate of a curve (lesson 11)."""

import numpy as np
import torch
from torch import nn

from pe_lib.space_and_time import fourier_features, sinusoidal_at

from .training import one_thread

STEPS_OF_TIME = 1000
POINTS, NOISE = 96, 0.1

# What a denoiser is told of the time t, whole numbers (n,) from 0 to 999: a tensor (n, columns).
TOLD = {
    "nothing": lambda t: torch.zeros(len(t), 1),
    "t": lambda t: t[:, None].float(),
    "t / 1000": lambda t: t[:, None] / STEPS_OF_TIME,
    "encoding": lambda t: torch.from_numpy(sinusoidal_at(t.numpy(), d_model=16)).float(),
}


def denoising_error(told, seed=0, steps=800):
    """Train a denoiser of single numbers, -1 or 1 with a blur of 0.05; its root mean square error on fresh data.

    At time t a number x becomes cos(u) · x + sin(u) · noise with u = π/2 · t/1000, and the network, which sees that
    and what it is ``told`` of t, has to give the noise, of variance 1. Raises ValueError for an unknown ``told``.
    """
    if told not in TOLD:
        raise ValueError(f"told must be one of {', '.join(TOLD)}, but got {told!r}")
    random = torch.Generator().manual_seed(seed)

    def batch(size):
        clean = 2.0 * torch.randint(2, (size,), generator=random) - 1 + 0.05 * torch.randn(size, generator=random)
        t = torch.randint(STEPS_OF_TIME, (size,), generator=random)
        u, noise = np.pi / 2 * t / STEPS_OF_TIME, torch.randn(size, generator=random)
        noisy = u.cos() * clean + u.sin() * noise
        return torch.cat([noisy[:, None], TOLD[told](t)], dim=1), noise

    inputs, _ = batch(1)
    network = _trained(lambda: batch(256), inputs.shape[1], steps, seed)
    inputs, noise = batch(20_000)
    with torch.no_grad():
        return (network(inputs) - noise).square().mean().sqrt().item()


def curve(x):
    """Waves of 2 and of 20 turns for x from 0 to 1."""
    return np.sin(2 * np.pi * 2 * x) + 0.5 * np.sin(2 * np.pi * 20 * x)


def fit_curve(typical, seed=0, at=None, steps=500):
    """Fit `curve` from 96 random points with noise of 0.1, from Fourier features of 16 random frequencies.

    The frequencies are normal with a standard deviation of ``typical`` turns per unit, as in Tancik et al. (2020).

    Returns the mean square errors at the noisy points and at 201 points between, or, with ``at``, (n,), the fitted
    values there.
    """
    random = np.random.default_rng(seed)
    x = np.sort(random.uniform(size=POINTS))
    noisy = curve(x) + NOISE * random.standard_normal(POINTS)
    frequencies = typical * random.standard_normal((16, 1))

    def features(x):
        return torch.from_numpy(fourier_features(np.asarray(x)[:, None], frequencies)).float()

    inputs, target = features(x), torch.from_numpy(noisy).float()
    network = _trained(lambda: (inputs, target), inputs.shape[1], steps, seed)
    with torch.no_grad():
        if at is not None:
            return network(features(at)).numpy()
        between = np.linspace(x[0], x[-1], 201)
        given = (network(inputs) - target).square().mean().item()
        return given, float(np.square(network(features(between)).numpy() - curve(between)).mean())


def _trained(batch, columns, steps, seed):
    """A network with two hidden layers of 64, after ``steps`` of Adam on the mean square error."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        layers = nn.Linear(columns, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1)
    network = nn.Sequential(*layers, nn.Flatten(0))
    optimizer = torch.optim.Adam(network.parameters(), lr=3e-3, fused=True)
    with one_thread():
        for _ in range(steps):
            inputs, target = batch()
            optimizer.zero_grad()
            (network(inputs) - target).square().mean().backward()
            optimizer.step()
    return network

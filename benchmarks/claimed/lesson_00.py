"""Lesson 00: what attention and a layer make of shuffled tokens. Seeds choose tokens, weights and the order."""

import torch

from .claim import Claim


def drawn(seed, tokens=6, width=4):
    """(x, order that moves each token, three matrices)."""
    random = torch.Generator().manual_seed(seed)
    x, W = torch.randn(tokens, width, generator=random), torch.randn(3, width, width, generator=random)
    return x, [*torch.randperm(tokens - 1, generator=random).add(1).tolist(), 0], W


def attention(x, W):
    weights = ((x @ W[0]) @ (x @ W[1]).T).softmax(dim=1)
    return weights @ (x @ W[2])


def moves_along(seed):
    x, order, W = drawn(seed)
    return torch.allclose(attention(x[order], W), attention(x, W)[order], atol=1e-4)


def average_stays(seed):
    x, order, W = drawn(seed)
    return torch.allclose(attention(x[order], W).mean(dim=0), attention(x, W).mean(dim=0), atol=1e-4)


def layer_moves_along(seed, masked=False):
    x, order, _ = drawn(seed)
    torch.manual_seed(seed)
    layer = torch.nn.TransformerEncoderLayer(d_model=4, nhead=2, batch_first=True).eval()
    mask = torch.ones(len(x), len(x)).triu(diagonal=1).bool() if masked else None
    with torch.no_grad():
        return torch.allclose(layer(x[None, order], mask), layer(x[None], mask)[:, order], atol=1e-5)


def random_rows_tell(seed):
    """Two neighbours of token 1 change places: its output changes, if rows were added."""
    x, _, W = drawn(seed, tokens=3)
    W = W / 2  # as models divide their scores: no weight is 1
    rows = torch.randn(3, 4, generator=torch.Generator().manual_seed(seed + 1000))
    one, other = (attention(text + rows, W)[1] for text in (x, x[[2, 1, 0]]))
    return not torch.allclose(one, other, atol=1e-4) and torch.allclose(
        attention(x, W)[1], attention(x[[2, 1, 0]], W)[1], atol=1e-4
    )


CLAIMS = [
    Claim("So moving the rows of `x` moves the rows of the output, whatever the matrices hold.", moves_along),
    Claim("Attention followed by an average is invariant.", average_stays),
    Claim("These two work on each row alone, so they cannot see the order either.", layer_moves_along),
    Claim(
        "`False`: with the mask, the layer is not equivariant.", lambda seed: not layer_moves_along(seed, masked=True)
    ),
    Claim("Random rows are enough.", random_rows_tell),
]

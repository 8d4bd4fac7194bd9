import numpy as np


def positional_encoding(max_len, d_model):
    pos, i = np.arange(max_len)[:, None], np.arange(d_model)
    angle = pos / 10000 ** (2 * i / d_model)
    return np.where(i % 2 == 0, np.sin(angle), np.cos(angle))

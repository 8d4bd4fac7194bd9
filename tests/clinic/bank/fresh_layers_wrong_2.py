"""Sinusoidal layers that are wrong, some in two ways at once. Part 2 of 2."""

from .fresh_form import TORCH, Case

CASES = [
    Case(
        "no module at all, a device, and one colon lost",
        TORCH
        + '''
class PositionalEncoding:

    def __init__(self, d_model, max_len, device):
        # pe: (max_len, d_model)
        self.pe = torch.zeros(max_len, d_model, device=device)

        # position: (max_len, 1)
        position = torch.arange(0.0, max_len, device=device).unsqueeze(1)

        # div_term: (d_model // 2)
        div_term = torch.exp(torch.arange(0.0, d_model, 2, device=device) * -(math.log(10000.0) / d_model))

        self.pe[:, 0::2] = torch.sin(position * div_term)
        self.pe[:, 1::2] = torch.cos(position * div_term)

        # pe: (1, max_src_len, d_model)
        self.pe = self.pe.unsqueeze(0)

    def __call__(self, x):
        # x: (batch_size, input_length, d_model)

        x = x + self.pe[:, x.size(1)]
        return x
''',
        "PositionalEncoding",
        "wrong",
        ("missing-colon|colon|one row",),
        "One row is added to every token; the class is no nn.Module.",
        "public file, public index 26126655658",
    ),
    Case(
        "Chinese: x times the table",
        TORCH
        + '''
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout, max_len=5000):
        super(PositionalEncoding, self).__init__()
        self.dropout = nn.Dropout(p=dropout)
        pe = torch.zeros(max_len, d_model)
        position = torch.arange(0, max_len).unsqueeze(1).float()
        div_term = torch.exp(torch.arange(0, d_model, 2).float() * (-torch.log(torch.tensor(10000.0)) / d_model))
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        pe = pe.unsqueeze(0)
        self.register_buffer("pe", pe)

    def forward(self, x):
        x = x * self.pe[:, : x.size(1)]
        return self.dropout(x)
''',
        "PositionalEncoding",
        "wrong",
        ("multiplied|multipl",),
        "x is multiplied by the table; the first token loses every even column.",
        "public Chinese tutorial, public index 30522793903",
    ),
    Case(
        "Chinese: multiplied, and sequence first",
        TORCH
        + '''
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout, max_len=5000):
        super(PositionalEncoding, self).__init__()
        self.dropout = nn.Dropout(p=dropout)
        pe = torch.zeros(max_len, d_model)
        position = torch.arange(0, max_len, dtype=torch.float).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2).float() * (-torch.log(torch.tensor(10000.0)) / d_model))
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        pe = pe.unsqueeze(0).transpose(0, 1)
        self.register_buffer("pe", pe)

    def forward(self, x):
        x = x * self.pe[: x.size(0), :]
        return self.dropout(x)
''',
        "PositionalEncoding",
        "wrong",
        ("multiplied|multipl",),
        "x, of shape (length, batch, d), is multiplied by the table.",
        "public Chinese tutorial, public index 30717924383",
    ),
    Case(
        "a minus before the exponential, none inside",
        TORCH
        + '''
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=500):
        super().__init__()
        pe = torch.zeros(max_len, d_model)
        pos = torch.arange(0, max_len).unsqueeze(1)
        div = -torch.exp(torch.arange(0, d_model, 2) * (math.log(10000.0) / d_model))
        pe[:, 0::2] = torch.sin(pos * div)
        pe[:, 1::2] = torch.cos(pos * div)
        self.register_buffer("pe", pe.unsqueeze(0))  # (1, max_len, d_model)

    def forward(self, x):
        # x: (batch, seq_len, d_model)
        return x + self.pe[:, : x.size(1)]
''',
        "PositionalEncoding",
        "wrong",
        ("inverted|frequenc",),
        "Frequencies of 10000^(+2k/d), and all negative: the sines change sign.",
        "public Chinese file on forecasting, public index 1061011115",
    ),
    Case(
        "Chinese: the minus of the exponent is missing",
        TORCH
        + '''
from torch.autograd import Variable


class Embeddings(nn.Module):
    """
    嵌入模型
    """

    def __init__(self, d_model, vocab):
        super(Embeddings, self).__init__()
        self.lut = nn.Embedding(vocab, d_model)
        self.d_model = d_model

    def forward(self, x):
        # 映射输入文本的数字张量
        return self.lut(x) * math.sqrt(self.d_model)


class PositionEncode(nn.Module):
    """
    位置编码器
    """

    def __init__(self, d_model, dropout, max_len=5000):
        super(PositionEncode, self).__init__()
        self.dropout = nn.Dropout(p=dropout)
        # 初始位置编码矩阵
        pe = torch.zeros(max_len, d_model)
        # 初始绝对位置矩阵
        position = torch.arange(0, max_len).unsqueeze(1)
        # 位置信息加入编码矩阵中
        div_term = torch.exp(torch.arange(0, d_model, 2) * (math.log(10000.0) / d_model))
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        pe = pe.unsqueeze(0)
        self.register_buffer("pe", pe)

    def forward(self, x):
        x = x + Variable(self.pe[:, : x.size(1)], requires_grad=False)
        return self.dropout(x)


if __name__ == "__main__":
    d = 512
    vocab = 1000
    x = Variable(torch.LongTensor([[100, 2, 421, 508], [491, 998, 1, 221]]))
    print(PositionEncode(d, 0.1, 60)(Embeddings(d, vocab)(x)).shape)
''',
        "PositionEncode",
        "wrong",
        ("inverted|frequenc",),
        "p times 10000^(+2k/d).",
        "public Chinese file, public index 20495118834",
    ),
    Case(
        "batch_first by two transposes, the minus is missing",
        TORCH
        + '''
class PositionalEncoding(torch.nn.Module):

    def __init__(self, d_model, dropout=0.1, max_len=5000, batch_first=False):
        super().__init__()
        self.dropout = torch.nn.Dropout(p=dropout)
        position = torch.arange(max_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2) * (math.log(10000.0) / d_model))
        pe = torch.zeros(max_len, 1, d_model)
        pe[:, 0, 0::2] = torch.sin(position * div_term)
        pe[:, 0, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe)
        self.batch_first = batch_first

    def forward(self, x):
        """x: [seq_len, batch_size, embedding_dim]"""
        if self.batch_first:
            # Transfer to [T,N,K]
            x = x.transpose(0, 1)
            x = x + self.pe[: x.size(0)]
            x = x.transpose(0, 1)
        else:
            x = x + self.pe[: x.size(0)]
        return self.dropout(x)
''',
        "PositionalEncoding",
        "wrong",
        ("inverted|frequenc",),
        "Inverted frequencies; the axis is handled rightly for either value of batch_first.",
        "public file, public index 9461659557",
        ("batch-axis",),
    ),
    Case(
        "Japanese: two loops, i already counts columns",
        TORCH
        + '''
class PositionalEncoder(nn.Module):
    def __init__(self, embed_size, max_seq_len=512):
        super().__init__()
        self.embed_size = embed_size  # 埋め込みベクトルの次元数 (m)
        self.max_seq_len = max_seq_len  # 最大シーケンス長 (n)
        pe = torch.zeros(max_seq_len, embed_size)  # (n, m)の0行列の生成
        for pos in range(max_seq_len):  # 各位置について
            for i in range(0, embed_size, 2):
                pos_tensor = torch.tensor(pos, dtype=torch.float32)
                base = torch.tensor(10000.0, dtype=torch.float32)  # スケーリング係数
                denominator = torch.pow(base, (2 * i) / embed_size)  # 分母の計算
                pe[pos, i] = torch.sin(pos_tensor / denominator)
                pe[pos, i + 1] = torch.cos(pos_tensor / denominator)
        # バッチ次元を追加
        pe = pe.unsqueeze(0)
        self.register_buffer("pe", pe)

    def forward(self, x):
        # 入力テンソルに位置エンコーディングを加算
        x = x + self.pe[:, : x.size(1), :]
        return x
''',
        "PositionalEncoder",
        "wrong",
        ("doubled|exponent",),
        "The exponent is 4k/d for sine and cosine alike.",
        "public Japanese file, public index 47065079386",
        ("own-odd",),
    ),
    Case(
        "a device before the length, and the column taken for the pair",
        """import math

import torch
import torch.nn as nn
from torch.autograd import Variable


class PositionEncoder(nn.Module):

    def __init__(self, model_dim, device, max_length=400):

        super().__init__()

        self.device = device

        self.model_dim = model_dim

        pos_encoding = torch.zeros(max_length, model_dim)

        for pos in range(max_length):

            for i in range(0, model_dim, 2):

                pos_encoding[pos, i] = math.sin(pos / (10000 ** ((2 * i) / model_dim)))
                pos_encoding[pos, i + 1] = math.cos(pos / (10000 ** ((2 * (i + 1)) / model_dim)))

        pos_encoding = pos_encoding.unsqueeze(0).to(device)
        self.register_buffer("pos_encoding", pos_encoding)

    def forward(self, x):
        x = x + Variable(self.pos_encoding[:, : x.shape[1]], requires_grad=False)
        return x
""",
        "PositionEncoder",
        "wrong",
        ("doubled|exponent",),
        "Column j uses p / 10000^(2j/d).",
        "kushalj001/pytorch-question-answering, positional_embedding.md",
    ),
    Case(
        "a table of two axes, cut by the batch",
        TORCH
        + '''
class PositionalEncoding(nn.Module):
    def __init__(self, d_model: int, max_seq_len: int, dropout: float = 0.1):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)

        position = torch.arange(max_seq_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
        pe = torch.zeros(max_seq_len, d_model)
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + self.pe[: x.size(0)]
        return self.dropout(x)
''',
        "PositionalEncoding",
        "wrong",
        ("slice-by-batch|batch|size(0)",),
        "For (batch, length, d) it takes batch rows and lays them along the length; right for (length, d) alone.",
        "public file of four encodings, public index 44121853950",
    ),
    Case(
        "images: brackets lost in the divisor",
        TORCH
        + '''
class PositionEncodingSine(nn.Module):
    """
    This is a sinusoidal position encoding that generalized to 2-dimensional images
    """

    def __init__(self, d_model, max_shape=(256, 256)):
        super().__init__()
        pe = torch.zeros((d_model, *max_shape))
        y_position = torch.ones(max_shape).cumsum(0).float().unsqueeze(0)
        x_position = torch.ones(max_shape).cumsum(1).float().unsqueeze(0)
        div_term = torch.exp(torch.arange(0, d_model // 2, 2).float() * (-math.log(10000.0) / d_model // 2))
        div_term = div_term[:, None, None]  # [C//4, 1, 1]
        pe[0::4, :, :] = torch.sin(x_position * div_term)
        pe[1::4, :, :] = torch.cos(x_position * div_term)
        pe[2::4, :, :] = torch.sin(y_position * div_term)
        pe[3::4, :, :] = torch.cos(y_position * div_term)

        self.register_buffer("pe", pe.unsqueeze(0), persistent=False)  # [1, C, H, W]

    def forward(self, x):
        """x: [N, C, H, W]"""
        return x + self.pe[:, :, : x.size(2), : x.size(3)]
''',
        "PositionEncodingSine",
        "wrong",
        ("frequenc|exponent|bracket|//|divisor",),
        "-log(10000)/d // 2 is -1 for every usual d: frequencies e^0, e^-2, e^-4, … whatever the width.",
        "zju3dv/LoFTR#41",
    ),
]

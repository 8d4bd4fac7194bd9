"""Sinusoidal layers that are right, learned tables, and layers that stop by themselves. Part 1 of 2."""

from .fresh_form import TORCH, Case

CASES = [
    Case(
        "Chinese: max_pos and dim, and a detached slice",
        TORCH
        + '''
class Position_Encoding(nn.Module):
    def __init__(self, max_pos, dim):
        super(Position_Encoding, self).__init__()
        # pe为保存位置编码的数组,均初始化为0
        pe = torch.zeros(max_pos, dim)
        pos = torch.arange(0, max_pos).unsqueeze(1).float()
        # 生成间隔为2的序列，对应公式中的2i
        term = torch.arange(0, dim, 2).float()
        term = torch.exp(term * (-math.log(10000.0) / dim))
        pe[:, 0::2] = torch.sin(pos * term)
        pe[:, 1::2] = torch.cos(pos * term)
        self.register_buffer("pe", pe.unsqueeze(0))

    def forward(self, x):
        return x + self.pe[:, : x.size(1)].clone().detach()
''',
        "",
        "right",
        (),
        "Adds the paper's table.",
        "public Chinese file, found by search: Position_Encoding(max_pos, dim)",
    ),
    Case(
        "Chinese course: one argument called args",
        TORCH
        + '''
class PositionalEncoding(nn.Module):
    def __init__(self, args):
        super().__init__()
        # 原始Transformer架构在PE后是接上了Dropout层的
        self.dropout = nn.Dropout(p=args.dropout)
        # block size是序列的最大长度
        pe = torch.zeros(args.block_size, args.n_embd)
        position = torch.arange(0, args.block_size).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, args.n_embd, 2) * -(math.log(10000.0) / args.n_embd))
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        pe = pe.unsqueeze(0)
        self.register_buffer("pe", pe)

    def forward(self, x):
        x = x + self.pe[:, : x.size(1)].requires_grad_(False)
        return self.dropout(x)
''',
        "PositionalEncoding",
        "right",
        (),
        "Adds the paper's table; sizes come from a namespace of options.",
        "datawhalechina/happy-llm, chapter 2",
    ),
    Case(
        "French project: the sequence comes first, dropout fixed",
        TORCH
        + '''
class PositionalEncoding(nn.Module):
    def __init__(self, d_model=512, max_len=512):
        super(PositionalEncoding, self).__init__()
        self.dropout = nn.Dropout(0.1)
        pe = torch.zeros(max_len, d_model)
        position = torch.arange(0, max_len, dtype=torch.float32).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2, dtype=torch.float32) * -(np.log(10000) / d_model))
        pe[:, 0::2] = torch.sin(position * div_term)  # pour les colonnes paires : PE(pos, 2i)
        pe[:, 1::2] = torch.cos(position * div_term)  # pour les colonnes impaires : PE(pos, 2i+1)
        pe = pe.unsqueeze(0).transpose(0, 1)
        self.register_buffer("pe", pe)

    def forward(self, x):
        x = x + self.pe[: x.size(0), :]
        return self.dropout(x)
''',
        "PositionalEncoding",
        "right-main",
        ("sequence-first|sequence first",),
        "Right for x of shape (length, batch, d_model).",
        "KishanthanKingston/CamemBERT, transformer/PositionalEncoding.py",
        ("slice-by-batch",),
    ),
    Case(
        "Mexican project: the layer of a model that says batch_first",
        TORCH
        + '''
class PositionalEncoding(nn.Module):
    def __init__(self, emb_size, dropout, maxlen=5000):
        super(PositionalEncoding, self).__init__()
        den = torch.exp(-torch.arange(0, emb_size, 2) * math.log(10000) / emb_size)
        pos = torch.arange(0, maxlen).reshape(maxlen, 1)
        pos_embedding = torch.zeros((maxlen, emb_size))
        pos_embedding[:, 0::2] = torch.sin(pos * den)
        pos_embedding[:, 1::2] = torch.cos(pos * den)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("pos_embedding", pos_embedding.unsqueeze(-2))

    def forward(self, token_embedding):
        return self.dropout(token_embedding + self.pos_embedding[: token_embedding.size(0), :])


class Modelo(nn.Module):
    def __init__(self, vocab_size, embedding_dim, nhead, num_layers, num_tokens, num_classes, dropout=0.05):
        super(Modelo, self).__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.positional_encoding = PositionalEncoding(embedding_dim, dropout)
        capa = nn.TransformerEncoderLayer(d_model=embedding_dim, nhead=nhead, batch_first=True)
        self.transformer_encoder = nn.TransformerEncoder(capa, num_layers)
        self.salida = nn.Linear(embedding_dim * num_tokens, num_classes)

    def forward(self, x):
        y = self.transformer_encoder(self.positional_encoding(self.embedding(x)))
        return self.salida(y.flatten(1))
''',
        "PositionalEncoding",
        "right-main",
        ("sequence-first|sequence first",),
        "The layer is right for (length, batch, d); the model below uses it for (batch, length, d).",
        "C4GH/Red-Neuronal-SecCultura, Modelo.py",
    ),
    Case(
        "Spanish thesis: sizes under Spanish names",
        """import copy  # para copiar objetos y estructuras
import math

import numpy as np
import torch  # libreria principal
import torch.nn as nn
import torch.optim as optim
import torch.utils.data as data


# aplicamos la posicion al embedding para que el transformer tenga en cuenta el orden
class PositionalEncoding(nn.Module):
    # la dimension del embedding y la secuencia máxima de palabras
    def __init__(self, dim_embedding, tam_secuencia_maximo):
        super(PositionalEncoding, self).__init__()
        pe = torch.zeros(tam_secuencia_maximo, dim_embedding)
        position = torch.arange(0, tam_secuencia_maximo, dtype=torch.float).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, dim_embedding, 2).float() * -(math.log(10000.0) / dim_embedding))
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe.unsqueeze(0))

    def forward(self, x):
        # tiene la forma: [batch_size, longitud_secuencia, dim_embedding]
        return x + self.pe[:, : x.size(1)]
""",
        "",
        "right",
        (),
        "Adds the paper's table.",
        "joseluis0605/TFM, Transformer_Bloque/PositionalEncoding.py",
    ),
    Case(
        "Japanese: after the official tutorial",
        TORCH
        + '''
class PositionalEncoding(nn.Module):
    """
    Transformerに入力シーケンスの位置情報を付加するためのクラス。
    """

    def __init__(self, d_model: int, dropout: float = 0.1, max_len: int = 5000):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        position = torch.arange(max_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
        pe = torch.zeros(max_len, 1, d_model)
        pe[:, 0, 0::2] = torch.sin(position * div_term)
        pe[:, 0, 1::2] = torch.cos(position * div_term)
        # peを計算グラフに含めない定数として登録
        self.register_buffer("pe", pe)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + self.pe[: x.size(0)]
        return self.dropout(x)
''',
        "PositionalEncoding",
        "right-main",
        ("sequence-first|sequence first",),
        "Right for (length, batch, d_model).",
        "public Japanese file, found by search: PositionalEncoding after PyTorch's tutorial",
    ),
    Case(
        "an axis chosen by batch_first, False by default",
        TORCH
        + '''
class PositionalEncoder(nn.Module):
    def __init__(self, dropout: float = 0.1, max_seq_len: int = 5000, d_model: int = 512, batch_first: bool = False):
        super().__init__()
        self.d_model = d_model
        self.dropout = nn.Dropout(p=dropout)
        self.batch_first = batch_first
        self.x_dim = 1 if batch_first else 0
        position = torch.arange(max_seq_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
        pe = torch.zeros(max_seq_len, 1, d_model)
        pe[:, 0, 0::2] = torch.sin(position * div_term)
        pe[:, 0, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe)

    def forward(self, x):
        x = x + self.pe[: x.size(self.x_dim)]
        return self.dropout(x)
''',
        "PositionalEncoder",
        "right-main",
        ("sequence-first|sequence first",),
        "By default right for (length, batch, d); with batch_first=True the table stays sequence-first and stops.",
        "KasperGroesLudvigsen/influenza_transformer#9",
    ),
    Case(
        "ids come in, a learned table, and pandas for nothing",
        """import numpy as np  # linear algebra
import pandas as pd  # data processing, CSV file I/O (e.g. pd.read_csv)
import torch
from torch import nn


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_pos, device):
        super(PositionalEncoding, self).__init__()
        self.device = device
        self.pos_embedding = nn.Embedding(max_pos, d_model)

    def forward(self, inputs):
        seq_len = inputs.size(1)
        pos = torch.arange(seq_len, dtype=torch.long, device=self.device)
        # [seq_len] -> [batch_size, seq_len]
        pos = pos.unsqueeze(0).expand_as(inputs)
        return self.pos_embedding(pos)
""",
        "PositionalEncoding",
        "convention",
        ("learned",),
        "A learned table looked up at 0, 1, 2, …; only the shape of the ids matters.",
        "xiao-nan-liu/workspace, ML/GPT/Transformer/model/PositionalEncoding.py",
        ("trainable",),
    ),
    Case(
        "Chinese: learned rows for the hops of a graph",
        TORCH
        + '''
class LearnablePositionalEncoding(nn.Module):
    """
    可学习的位置编码
    每个 hop 有独立的可学习 embedding
    """

    def __init__(self, d_model, max_len=10):
        super().__init__()
        self.pe = nn.Parameter(torch.randn(max_len, d_model) * 0.02)

    def forward(self, x):
        seq_len = x.size(1)
        return x + self.pe[:seq_len, :].unsqueeze(0)
''',
        "LearnablePositionalEncoding",
        "convention",
        ("learned",),
        "A learned table is added.",
        "public Chinese file on graph transformers, public index 54819697040",
    ),
]

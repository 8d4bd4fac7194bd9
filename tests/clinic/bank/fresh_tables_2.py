"""Sinusoidal tables as functions, from public files: right ones, designs, wrong ones. Part 2 of 2."""

from .fresh_form import TORCH, Case

CASES = [
    Case(
        "added in one function, with a helper for the device",
        TORCH
        + '''
def get_range_vector(size: int, device) -> torch.Tensor:
    return torch.arange(0, size, dtype=torch.long, device=device)


def add_positional_features(tensor: torch.Tensor, min_timescale: float = 1.0, max_timescale: float = 1.0e4):
    _, timesteps, hidden_dim = tensor.size()
    when = get_range_vector(timesteps, tensor.device).data.float()
    half = hidden_dim // 2
    which = get_range_vector(half, tensor.device).data.float()
    step = math.log(float(max_timescale) / float(min_timescale)) / float(half - 1)
    speeds = min_timescale * torch.exp(which * -step)
    turned = when.unsqueeze(1) * speeds.unsqueeze(0)
    waves = torch.cat([torch.sin(turned), torch.cos(turned)], 1)
    if hidden_dim % 2 != 0:
        waves = torch.cat([waves, waves.new_zeros(timesteps, 1)], 1)
    return tensor + waves.unsqueeze(0)
''',
        "add_positional_features",
        "convention",
        ("tensor2tensor",),
        "x plus halves whose slowest pair is exactly 1/10000.",
        "allenai/allennlp#2993",
    ),
    Case(
        "both halves are sines",
        TORCH
        + '''
def add_positional_features(tensor: torch.Tensor, min_timescale: float = 1.0, max_timescale: float = 1.0e4):
    _, timesteps, hidden_dim = tensor.size()
    when = get_range_vector(timesteps, tensor.device).data.float()
    num = hidden_dim // 2
    which = get_range_vector(num, tensor.device).data.float()
    step = math.log(float(max_timescale) / float(min_timescale)) / float(num - 1)
    speeds = min_timescale * torch.exp(which * -step)
    turned = when.unsqueeze(1) * speeds.unsqueeze(0)
    waves = torch.randn(turned.size(0), 2 * turned.size(1), device=tensor.device)
    waves[:, ::2] = torch.sin(turned)
    waves[:, 1::2] = torch.sin(turned)
    if hidden_dim % 2 != 0:
        waves = torch.cat([waves, waves.new_zeros(timesteps, 1)], 1)
    return tensor + waves.unsqueeze(0)


def get_range_vector(size: int, device) -> torch.Tensor:
    return torch.arange(0, size, dtype=torch.long, device=device)
''',
        "add_positional_features",
        "wrong",
        ("cos|sine",),
        "Odd columns hold the sine again, and the frequencies are tensor2tensor's (k over d/2 - 1).",
        "luopeixiang/im2latex#10, model/position_embedding.py",
    ),
    Case(
        "float16 rates and a row of positions that is never a column",
        TORCH
        + '''
def get_positional_encoding(seq_len, input_size, min_timescale=1.0, max_timescale=1.0e4, start_index=0, device="cpu"):
    position = torch.arange(seq_len, dtype=torch.float) + start_index
    num_timescales = input_size // 2
    step = math.log(float(max_timescale) / float(min_timescale)) / max(1, num_timescales - 1)
    inv = min_timescale * torch.exp(torch.arange(num_timescales, dtype=torch.float16, device=device) * -step)
    scaled_time = position * inv.unsqueeze(0)  # 명시
    pos_en = torch.zeros(seq_len, input_size)
    pos_en[:, 0::2] = torch.sin(scaled_time)
    pos_en[:, 1::2] = torch.cos(scaled_time)
    return pos_en
''',
        "",
        "not-run",
        ("must match",),
        "A row of seq_len positions times a row of d/2 rates stops unless the two are equal.",
        "jung-minyoung8/practice_transformer, modules/embedding.py",
    ),
    Case(
        "timesteps, and math was never imported",
        '''
import torch
from torch import nn
import torch.nn.functional as F


def timestep_embedding(tsteps, emb_dim, max_period=10000):
    exponent = -math.log(max_period) * torch.linspace(0, 1, emb_dim // 2, device=tsteps.device)
    emb = tsteps[:, None].float() * exponent.exp()[None, :]
    emb = torch.cat([emb.sin(), emb.cos()], dim=-1)
    return F.pad(emb, (0, 1, 0, 0)) if emb_dim % 2 == 1 else emb
''',
        "timestep_embedding",
        "not-run",
        ("name 'math' is not defined",),
        "math is used and never imported.",
        "Neha-Shrestha/Text-to-Image-Generator, ldm/time_embedding.py",
    ),
    Case(
        "a static method of timesteps, cosines first",
        TORCH
        + '''
class TimestepEmbedder(nn.Module):
    """Embeds scalar timesteps into vectors."""

    def __init__(self, hidden_size, frequency_embedding_size=256):
        super().__init__()
        self.mlp = nn.Sequential(
            nn.Linear(frequency_embedding_size, hidden_size), nn.SiLU(), nn.Linear(hidden_size, hidden_size)
        )
        self.frequency_embedding_size = frequency_embedding_size

    @staticmethod
    def timestep_embedding(t, dim, max_period=10000):
        half = dim // 2
        rates = torch.exp(-math.log(max_period) * torch.arange(0, half, dtype=torch.float32) / half).to(t.device)
        args = t[:, None].float() * rates[None]
        out = torch.cat([torch.cos(args), torch.sin(args)], dim=-1)
        if dim % 2:
            out = torch.cat([out, torch.zeros_like(out[:, :1])], dim=-1)
        return out

    def forward(self, t):
        return self.mlp(self.timestep_embedding(t, self.frequency_embedding_size))
''',
        "TimestepEmbedder.timestep_embedding",
        "convention",
        ("halves|cos",),
        "The paper's frequencies in halves, the cosines first: the design of GLIDE, latent diffusion and DiT.",
        "facebookresearch/DiT, models.py",
        ("inverted", "base"),
    ),
    Case(
        "the exponent is raised, where it should be the exponent",
        TORCH
        + '''
class PositionalEncoding(nn.Module):
    """noise level -> features"""

    def __init__(self, n_channels):
        super().__init__()
        self.n_channels = n_channels
        self.linear_scale = 5000

    def forward(self, noise_level):
        if len(noise_level.shape) > 1:
            noise_level = noise_level.squeeze(-1)
        half_dim = self.n_channels // 2
        exponents = torch.arange(half_dim, dtype=torch.float32).to(noise_level) / float(half_dim)
        exponents = exponents**1e-4
        exponents = self.linear_scale * noise_level.unsqueeze(1) * exponents.unsqueeze(0)
        return torch.cat([exponents.sin(), exponents.cos()], dim=-1)
''',
        "PositionalEncoding",
        "wrong",
        ("frequenc|exponent|rate|5000",),
        "k^0.0001 for 0.0001^k: every frequency is 5000 or nearly so, but the first, which is 0.",
        "ivanvovk/WaveGrad#12",
    ),
    Case(
        "j runs over all columns, and every second is taken",
        TORCH
        + '''
def sinusoidal_embedding(n, d):
    # Returns the standard positional embedding
    embedding = torch.zeros(n, d)
    wk = torch.tensor([1 / 10_000 ** (2 * j / d) for j in range(d)])
    wk = wk.reshape((1, d))
    t = torch.arange(n).reshape((n, 1))
    embedding[:, ::2] = torch.sin(t * wk[:, ::2])
    embedding[:, 1::2] = torch.cos(t * wk[:, ::2])
    return embedding
''',
        "sinusoidal_embedding",
        "wrong",
        ("doubled|exponent",),
        "Pair k turns at 10000^(-4k/d): the exponent is doubled, for sine and cosine alike.",
        "BrianPulfer/PapersReimplementations#9",
        ("own-odd",),
    ),
    Case(
        "time embeddings kept as a plain attribute, returned for images",
        TORCH
        + '''
class SinusoidalEmbeddings(nn.Module):
    def __init__(self, time_steps: int, embed_dim: int) -> None:
        super(SinusoidalEmbeddings, self).__init__()
        steps = torch.arange(time_steps).unsqueeze(1).float()
        rate = torch.exp(torch.arange(0, embed_dim, 2).float() * -(math.log(10000.0) / embed_dim))
        embeddings = torch.zeros(time_steps, embed_dim, requires_grad=False)
        embeddings[:, 0::2] = torch.sin(steps * rate)
        embeddings[:, 1::2] = torch.cos(steps * rate)
        self.embeddings = embeddings

    def forward(self, x, t):
        embeds = self.embeddings[t].to(x.device)
        return embeds[:, :, None, None]
''',
        "SinusoidalEmbeddings",
        "right",
        (),
        "Rows of the paper's table, at the times t, with two axes of one behind; x serves for its device alone.",
        "public file after a towardsdatascience article on DDPM, found by search",
        ("never-added",),
    ),
    Case(
        "Italian project: a step of diffusion",
        TORCH
        + '''
class EmbedDiffStep(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, t):
        half = self.dim // 2
        step = math.log(10000) / (half - 1)
        rates = torch.exp(torch.arange(half, device=t.device) * -step)
        out = t[:, None] * rates[None, :]
        return torch.cat((out.sin(), out.cos()), dim=-1)
''',
        "",
        "convention",
        ("tensor2tensor",),
        "Halves whose slowest frequency is exactly 1/10000.",
        "spagnolivalerio/vision_project, src/diffusion_model/models/embedding.py",
    ),
    Case(
        "half precision, a thousand, and halves",
        TORCH
        + '''
class FixedPositionalEmbedding(nn.Module):
    def __init__(self, dim, seq_len):
        super().__init__()
        inv_freq = 1.0 / (1000 ** (torch.arange(0, dim, 2).half() / dim))
        position = torch.arange(0, seq_len, dtype=torch.float16)
        waves = torch.einsum("i,j->ij", position, inv_freq)
        emb = torch.cat((waves.sin(), waves.cos()), dim=-1).half()
        self.register_buffer("emb", emb)

    def forward(self, x):
        return self.emb[None, : x.shape[1], :].to(x).half()
''',
        "FixedPositionalEmbedding",
        "wrong",
        ("1000|wrong-base", "half|precision|float16"),
        "Halves of base 1000, computed and returned in half precision.",
        "public file, public index 15825975663",
    ),
    Case(
        "a model's method, cosine in the even columns",
        TORCH
        + '''
class PatchClassifier(nn.Module):
    def __init__(self, num_patches=16, embed_dim=32, classes=10):
        super().__init__()
        self.embed_dim = embed_dim
        self.embedInput = nn.Linear(8, embed_dim)
        self.register_buffer(
            "full_position_encoding", self.sinusoidal_position_encoding(num_patches, embed_dim).unsqueeze(0)
        )
        self.classifier = nn.Linear(embed_dim, classes)

    def forward(self, x):
        x = self.embedInput(x) + self.full_position_encoding.expand(x.shape[0], -1, -1)
        return self.classifier(x.mean(1))

    def sinusoidal_position_encoding(self, num_patches, embed_dim):
        position = torch.arange(num_patches).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, embed_dim, 2) * (-math.log(10000.0) / embed_dim))
        pe = torch.zeros(num_patches, embed_dim)
        pe[:, 1::2] = torch.sin(position * div_term)
        pe[:, 0::2] = torch.cos(position * div_term)
        return pe
''',
        "PatchClassifier.sinusoidal_position_encoding",
        "wrong",
        ("swapped|cos",),
        "The paper's numbers with sine and cosine of each pair exchanged.",
        "public file, public index 49053832939",
    ),
    Case(
        "Chinese tutorial: a static table of one row",
        TORCH
        + '''
class Transformer(nn.Module):
    def __init__(self, input_dim, d_model):
        super().__init__()
        self.embedding = nn.Embedding(input_dim, d_model)
        self.position_encoding = self.get_position_encoding(d_model)

    def forward(self, src, src_mask=None):
        return self.embedding(src) + self.position_encoding[:, : src.size(1)]

    @staticmethod
    def get_position_encoding(d_model):
        pe = torch.zeros(1, d_model)
        position = torch.arange(0, d_model).unsqueeze(0)
        div_term = torch.exp(torch.arange(0, d_model, 2).float() * -(torch.log(torch.tensor(10000.0)) / d_model))
        pe[:, 1::2] = torch.sin(position * div_term)
        pe[:, 0::2] = torch.cos(position * div_term)
        pe = pe.unsqueeze(0).transpose(0, 1)
        return pe
''',
        "Transformer.get_position_encoding",
        "not-run",
        ("must match",),
        "d positions in a row times d/2 rates: it stops at every width above 2.",
        "public Chinese tutorial, public index 31061577504",
    ),
]

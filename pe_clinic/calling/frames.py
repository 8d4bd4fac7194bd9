"""How a line for --make arranges x, and what it has to give."""

import inspect
import re
from dataclasses import dataclass

from ..sandbox.state import loaded_torch
from .parameters import has_signature


@dataclass(frozen=True)
class Way:
    """``x`` and ``k`` go into the call as written, ``p`` stands for the positions, ``out`` holds the call."""

    x: str = "{x}"
    out: str = "{}"
    p: str = "positions"
    k: str = ""


ONE = (
    Way(),
    Way("{x}.transpose(1, 2)", "{}.transpose(1, 2)"),
    Way("{x}.permute(2, 0, 1, 3)", "{}.permute(1, 2, 0, 3)"),
    Way("{x}.flatten(0, 1)", "{}.view(x.shape)"),
    Way("v", "torch.stack([{} for v in x.flatten(0, 1)]).view(x.shape)"),
    Way("v.transpose(0, 1)", "torch.stack([{}.transpose(0, 1) for v in x])"),
    Way("x[:, :, n]", "torch.stack([{} for n, p in enumerate(positions)], 2)", "p"),
    Way("v[:, n]", "torch.stack([torch.stack([{} for n, p in enumerate(positions)], 1) for v in x])", "p"),
    Way("v", "torch.stack([{} for v, p in zip(x.flatten(0, 2), positions.repeat(x[..., 0, 0].numel()))])"
        ".view(x.shape)", "p"),
    Way("v.tolist()", "torch.tensor([{} for v, p in zip(x.flatten(0, 2), positions.repeat(x[..., 0, 0].numel()))])"
        ".view(x.shape)", "p.item()"),
    Way("{x}", "{}[0]"),
)  # fmt: skip
TWO = (
    Way(),
    Way("{x}.transpose(1, 2)", "tuple(map(lambda y: y.transpose(1, 2), {}))"),
    Way("{x}.permute(2, 0, 1, 3)", "tuple(map(lambda y: y.permute(1, 2, 0, 3), {}))"),
    Way("v", "tuple(map(lambda y: torch.stack(y).view(q.shape), "
        "zip(*[{} for v, w in zip(q.flatten(0, 1), k.flatten(0, 1))])))", k="w"),
    Way("{x}", "{}[:2]"),
    Way("{x}", "list({}.values())"),
)  # fmt: skip


def _of_arrays(way, count):
    """The same way for code that takes and gives arrays."""
    back = "map(torch.as_tensor, {})" if count == 2 else "torch.as_tensor({}, dtype=x.dtype)"
    listed = way.x.endswith("tolist()")
    x, k = (text if listed or not text else f"{text}.float().numpy()" for text in (way.x, way.k))
    p = {"positions": "positions.numpy()", "p": "p.item()"}.get(way.p, way.p)
    return Way(x, way.out if listed else way.out.replace("{}", back), p, k)


def ways(count, of_tensors):
    ways = TWO if count == 2 else ONE
    return ways if of_tensors else tuple(_of_arrays(way, count) for way in ways)


def line(call, head, way, laid, count, width):
    names = ("q", "k") if count == 2 else ("x",)
    first = way.x.format(x=names[0])
    second = way.k or way.x.format(x=names[-1])
    laid = laid.replace("{p}", way.p.partition(".")[0])
    if ".numpy()" in first:
        call = re.sub(r"(\{a\}\.(?:cos|sin)\(\))", r"\1.numpy()", call)
    call = call.replace("{x}", first).replace("{k}", second).replace("{p}", way.p)
    call = call.replace("{a}", f"(a := {laid})", 1).replace("{a}", "a")
    body = way.out.format(call)
    started = re.search(r"\bstart\b(?!=)", body) and not re.search(r"\bpositions\b(?!=)", body)
    where = "start" if started else "positions"
    made = f", head_dim={width}" * bool(width) + f", made={head}" * bool(head)
    return f"lambda {', '.join(names)}, {where}{made}: {body}"


def width_of(rotate):
    """The head_dim that a line such as ``lambda x, positions, head_dim=132: …`` is for; 64 where it does not tell."""
    told = inspect.signature(rotate).parameters.get("head_dim") if has_signature(rotate) else None
    return told.default if told and type(told.default) is int else 64


def turns(rotate):
    """Does it turn x, or q and k, into tensors of the same shape, and like rows at two positions differently?"""
    torch, names = loaded_torch(), list(inspect.signature(rotate).parameters)
    row = torch.randn(2, 3, 1, width_of(rotate), generator=torch.Generator().manual_seed(0))
    x = row.expand(-1, -1, 5, -1)
    given = [x.clone(), x.clone()] if names[0] == "q" else [x.clone()]
    with torch.no_grad():
        out = rotate(*given, 3 if "start" in names else torch.arange(5))
    parts = tuple(out)[:2] if len(given) == 2 else (out,)
    fits = all(y.shape == x.shape and y.is_floating_point() and bool(y.isfinite().all()) for y in parts)
    return fits and not any(torch.equal(y[:, :, 1], y[:, :, 4]) for y in parts)

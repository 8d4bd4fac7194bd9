"""Do the numbers that a file's settings ask for take effect? One is changed in the text, and the rotation looked at."""

import re
from contextlib import suppress
from dataclasses import dataclass, replace

from ..calling.alone import run_alone
from ..calling.names import SURE, is_table, role_in_rotations
from ..calling.parameters import source_of
from ..sandbox.guard import Failed, run
from .candidates import whole
from .configs import CONFIG, configuration, held_by, own_class
from .factors import FACTOR, SETTINGS
from .forms import named_parameters
from .recognise import is_attention

BASE = r"((rope|rotary|pos)_)?((emb|freq)_)?(theta|base|max_timescale)"
PART = r"(partial_)?(rotary|rope)_((emb|dim)_)?(factor|pct|percent(age)?|fraction|ratio)"
ANY_BASE = r"(theta|base|max_timescale)(_|$)|base_freq"  # rope_local_base_freq, too
FIXED = r"llama3|low_freq|yarn|beta_fast|linear"  # scalings of which short texts tell
BY_LAYER = r"local|global|sliding|layer_types?|layer_(idx|id|index|number)\w* *[%+<>\]]|interval|every_n"
LITERAL = r"""(\b{}['"]?\s*(?::\s*[^=,()\n'"]+)?[=:]\s*)(\d[\d_]*(?:\.\d*)?(?:[eE][+-]?\d+)?)(?![\w.])"""


@dataclass(frozen=True)
class Setting:
    """A number that settings of a file hold: of a base, of the part of a head that turns, of a scaling."""

    mistake: str  # the id of what is wrong where it has no effect
    name: str
    value: float
    holder: str

    @property
    def other(self):
        return self.value / 2 if self.value < 1 else self.value * 3

    def changed(self, file, path):
        """The file with another number in its place, run again as far as ``path`` needs it; None where that fails."""

        def put(found):
            return found[1] + (repr(self.other) if float(found[2]) == self.value else found[2])

        source = re.sub(LITERAL.format(self.name), put, file.source)
        with suppress(Failed, NotImplementedError):
            wanted = f"({path}, {self.holder.rpartition(' ')[2]})"
            names = run(path, run_alone, source, wanted, f"{file.path}, changed") if source != file.source else None
            return replace(file, names=names, source=source) if names else None
        return None

    def is_done(self, seen, others):
        """Does the convention ``seen`` do it, or what another base of the ``others`` asks for?"""
        if self.mistake == "base-of-config":
            found = re.search(r"base ([\d.e+]+)", seen)
            return any(abs((float(found[1]) if found else 1e4) / base - 1) < 0.01 for base in (self.value, *others))
        return bool(re.search("partial" if self.mistake == "part-of-config" else "(?i)scal|llama|yarn|ntk", seen))


def unheard(outcome, file, path, thing, look):
    """The first `Setting` that ``outcome``, as ``look`` gives it, does not obey, and with another number neither."""
    seen, every = f"{outcome[0].convention}", list(_settings(file, thing))
    others = [s.value for s in every if not s.mistake]
    for setting in (s for s in every if s.mistake and not s.is_done(seen, others)):
        if _may_be_elsewhere(setting, file, thing):
            continue
        changed = setting.changed(file, path)
        other = look(changed, path) if changed else None
        if other and (other[0].verdict.id, other[0].convention) == (outcome[0].verdict.id, outcome[0].convention):
            return setting
    return None


def _may_be_elsewhere(setting, file, thing):
    """May another layer obey it, or what makes a table, or a module, that this one is handed?"""
    code = source_of(thing)
    every = named_parameters(thing) + named_parameters(getattr(thing, "forward", None))
    handed = any(is_table(p.name, SURE) or (own_class(file, p) and not re.search(CONFIG, p.name)) for p in every)
    read = rf"""(\.|\[['"]|get\(['"]){setting.name}\b"""
    elsewhere = (handed or not is_attention(thing)) and re.search(read, file.source.replace(code, ""))
    return bool(elsewhere) or (setting.name in code and bool(re.search(BY_LAYER, code)))


def _settings(file, thing):
    """Of the parameters of the class ``thing``, and of what it takes; without a mistake where it may have no effect."""
    for holder, held in _held(file, thing):
        for name, value in held.items():
            inner = value if isinstance(value, dict) else getattr(value, "__dict__", {})
            inner = inner if re.search(SETTINGS, name) else {}
            for key, number in ({name: value} | inner).items():
                told = _mistake(key, number, inner) if type(number) in (int, float) else None
                if told is not None:
                    yield Setting(told, key, number, f"{name} of {holder}" if key != name else holder)


def _mistake(key, number, inner):
    if re.search(ANY_BASE, key) and number > 1:
        return "base-of-config" if re.fullmatch(BASE, key) else ""
    if re.fullmatch(PART, key) and 0 < number < 1:
        return "part-of-config"
    scales = inner and number != 1 and re.fullmatch(FACTOR, key) and re.search(FIXED, f"{inner}")
    return "not-scaled" if scales else None


def _held(file, thing):
    """(name, dict) of the constructor's defaults, and of each configuration that the class takes or speaks of."""
    made = named_parameters(thing)
    yield thing.__name__, {p.name: p.default for p in made if p.default is not p.empty}
    for p in made:
        name, config = configuration(whole(file), p) if role_in_rotations(p.name) == "config" else ("", None)
        if config is not None:
            yield name, held_by(config)
    for name, cls in file.names.items():  # of which a default is made
        if isinstance(cls, type) and re.search(CONFIG, name) and re.search(rf"\b{name}\(", source_of(thing)):
            yield name, vars(cls)

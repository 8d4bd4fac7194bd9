"""All fresh cases together: public code that nobody had tried here when its expectation was written."""

from importlib import import_module

HALVES = ("alibi", "designs", "layers", "layers_wrong", "rope", "rope_calls", "rope_wrong", "tables")
CASES = [case for stem in HALVES for k in (1, 2) for case in import_module(f".fresh_{stem}_{k}", __package__).CASES]

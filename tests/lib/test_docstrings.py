"""The examples in pe_lib's docstrings are right, and every public name has one, and type hints."""

import doctest
import inspect
from importlib import import_module
from pkgutil import walk_packages

import pytest

import pe_lib
from pe_lib import longer_texts

MODULES = [info.name for info in walk_packages(pe_lib.__path__, "pe_lib.") if not info.name.endswith("__main__")]
PUBLIC = {name: getattr(pe_lib, name) for name in pe_lib.__all__}
PUBLIC |= {name: getattr(longer_texts, name) for name in longer_texts.__all__}


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_of_a_module_give_what_they_show(module):
    assert doctest.testmod(import_module(module)).failed == 0


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_has_type_hints_and_an_example_of_its_use(name):
    public = PUBLIC[name]
    examples = doctest.DocTestParser().get_examples(public.__doc__)
    assert any(f"{name}(" in example.source and example.want for example in examples)
    for function in (public.__init__, public.forward) if inspect.isclass(public) else (public,):
        signature = inspect.signature(function)
        hints = [p.annotation for p in signature.parameters.values() if p.name != "self"]
        assert inspect.Signature.empty not in [*hints, signature.return_annotation]

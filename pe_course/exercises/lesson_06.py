"""Lesson 06, Broadcasting."""

import torch  # noqa: F401 (the page uses it)

from ..judges import Value
from .adding import Adding
from .own_layer import blank_page, own_layer

JUDGES = {
    "06.1": Value((32, 100, 512)),
    "06.2": Adding(),
    "06.3": own_layer,
    "06.4": blank_page,
}

"""Questions about earlier lessons: two open each lesson (`recall`); `review` asks again what was missed or is due."""

from .asking import recall
from .reviewing import review

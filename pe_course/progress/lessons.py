"""The lessons, by number: file and title. The map in lesson 00 says the same, and a test compares them."""

LESSONS = {
    "00": ("00_start_here.ipynb", "Start here"),
    "01": ("01_embedding.ipynb", "Embedding"),
    "02": ("02_formula.ipynb", "Formula"),
    "03": ("03_loop.ipynb", "Loop"),
    "04": ("04_vectorized.ipynb", "Vectorized"),
    "05": ("05_stack_flatten.ipynb", "Stack and flatten"),
    "06": ("06_broadcasting.ipynb", "Broadcasting"),
    "07": ("07_does_it_matter.ipynb", "Does it matter?"),
    "08": ("08_relative_position.ipynb", "Relative position"),
    "09": ("09_rope.ipynb", "RoPE"),
    "10": ("10_longer_texts.ipynb", "Longer texts"),
    "11": ("11_space_and_time.ipynb", "Space and time"),
    "12": ("12_bug_clinic.ipynb", "Bug clinic"),
    "13": ("13_real_models.ipynb", "Real models"),
}

"""What Python, NumPy and torch say when code stops, and what it comes from."""

import re
from dataclasses import replace

RAISED = ("raises", "odd-crash")  # findings whose evidence quotes a call and what it raised

# (pattern in "Type: message", the cause in words). Groups of the pattern are put into the words.
GENERAL = (
    (r"NameError: name '(\w+)'", "The name {0} is used where it has no value: misspelt, or its cell has not been run."),
    (r"UnboundLocalError: .*?'(\w+)'", "{0} is used before it gets a value inside the function."),
    (r"TypeError: '(?:Tensor|ndarray|numpy.ndarray|list|tuple)' object is not callable",
     "Round brackets call a function; rows and cells are taken with square brackets."),
    (r"TypeError: '(?:function|method|builtin_function_or_method|type)' object is not subscriptable",
     "Square brackets take cells; a function is called with round ones."),
    (r"unsupported operand type\(s\) for \^|ufunc 'bitwise_xor'|bitwise_xor.*not (?:supported|implemented)",
     "^ is no power in Python: it is written **."),
    (r"mat1 and mat2 shapes cannot be multiplied|matmul: Input operand 1 has a mismatch|size mismatch.*mat",
     "A product with @ needs as many columns on its left as rows on its right."),
    (r"The size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\)",
     "Lined up from the right, some axis has sizes {0} and {1}; they differ, and neither is 1."),
    (r"operands could not be broadcast together with shapes ([()\d, ]+?)\s*(?:\(line|$)",
     "Lined up from the right, the shapes {0} have an axis in which the sizes differ and neither is 1."),
    (r"could not broadcast input array from shape (\([\d, ]+\)) into shape (\([\d, ]+\))",
     "What is written has shape {0}, the place for it {1}."),
    (r"setting an array element with a sequence|only (?:size-1|length-1|0-dimensional) arrays can be converted",
     "One number is needed where a whole array stands. (math.sin takes one number, np.sin a whole array.)"),
    (r"tensors used as indices must be long|expected .*Long.* but got|arrays used as indices must be of integer",
     "Indices have to be whole numbers; these hold decimals."),
    (r"slice indices must be integers|only integers, slices|'float' object cannot be interpreted as an integer",
     "A whole number is needed there, and / gives a decimal one: // gives a whole one."),
    (r"IndexError", "An index is larger than the axis is long: they run from 0 to its length less 1."),
    (r"can't multiply sequence by non-int|can only concatenate list|unsupported operand type\(s\) for .*'list'",
     "A list does not compute number by number: make an array or a tensor of it."),
    (r"ZeroDivisionError", "Something is divided by 0."),
    (r"takes (\d+|no) positional arguments? but (\d+) (?:was|were) given|missing \d+ required positional",
     "It is called with other arguments than it takes: compare the line with def."),
    (r"object has no attribute '(\w+)'", "What stands before .{0} has no {0}: is it of the type that you expect?"),
    (r"RecursionError", "The function calls itself and never stops."),
    (r"'NoneType' object", "Something is None: a function that returns nothing, or a value that was never set."),
)  # fmt: skip


def explained(finding, errors=()):
    """The `Finding` of a call that raised, with its cause.

    Of ``errors`` (pattern, sentence) the first that fits becomes its title; what may happen in any exercise is said
    below the title. The groups of a pattern are put into its sentence.
    """
    if finding.id not in RAISED:
        return finding
    for pattern, says in errors:
        if match := re.search(pattern, finding.evidence):
            return replace(finding, title=says.format(*match.groups()), explanation="", fix="")
    if finding.id != "raises":
        return finding
    for pattern, says in GENERAL:
        if match := re.search(pattern, finding.evidence):
            return replace(finding, explanation=says.format(*match.groups()))
    return finding

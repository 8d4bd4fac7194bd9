"""Ways to judge a learner's answer. A judge is data that can be called: its fields hold what it replies, and to what.

    Value       a value, compared with the right one and with the usual wrong ones
    Function    a function, called on examples
    Table       a function of (max_len, d_model), diagnosed; with the slips that one exercise invites
    Way         how a right result was reached: without a loop, without pe_lib's own function

Called with an answer, each returns a `Diagnosis`; so do `diagnose_table` and `diagnose_layer`, which are judges too.
"""

from .comparing import close, near, numbers, same
from .function import Function
from .known import explained, family, pages, told
from .reasons import of_numbers
from .showing import Named
from .table import Table
from .value import Otherwise, Value
from .ways import Way, uses, wrong

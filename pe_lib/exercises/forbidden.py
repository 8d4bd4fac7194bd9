"""Notice how a result was reached: some exercises ask for a way, not only for an answer."""

from torch.overrides import TorchFunctionMode


class Used(Exception):
    """The learner's code called something that the exercise asks to do without."""


class Without(TorchFunctionMode):
    """While it is active, a call of one of torch's functions called ``names`` raises `Used`.

    With ``on``, only a call that has this very tensor among its arguments does.
    """

    def __init__(self, names, on=None):
        super().__init__()
        self.names, self.on = names, on

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if function.__name__ in self.names and (
            self.on is None or any(argument is self.on for argument in (*args, *kwargs.values()))
        ):
            raise Used(function.__name__)
        return function(*args, **kwargs)


def uses(function, arguments, names, on=None):
    """Does ``function(*arguments)`` call one of ``names``? Its answer has been checked before."""
    try:
        with Without(names, on):
            function(*arguments)
    except Used:
        return True
    return False

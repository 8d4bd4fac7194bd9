"""Numbers and lists in words: short, and the same on every machine."""


def show(number):
    """Three digits.

    >>> show(0.01), show(1.7783), show(30000.0), show(-1e-9)
    ('0.01', '1.78', '3e+04', '0')
    """
    text = f"{number:.3g}"
    return "0" if text in ("-0", "0") or abs(number) < 5e-7 else text


def row(values, count=4):
    """The first numbers of a row: 0.000, 1.000, …"""
    return ", ".join(f"{value + 0.0:.3f}".replace("-0.000", "0.000") for value in values[:count]) + (
        ", …" if len(values) > count else ""
    )


def listed(numbers):
    """Column numbers as a reader would write them.

    >>> listed([7, 2, 4, 3])
    '2 to 4, 7'
    """
    numbers, parts = sorted(numbers), []
    while numbers:
        end = 0
        while end + 1 < len(numbers) and numbers[end + 1] == numbers[end] + 1:
            end += 1
        parts.append(f"{numbers[0]} to {numbers[end]}" if end > 1 else ", ".join(map(str, numbers[: end + 1])))
        numbers = numbers[end + 1 :]
    return ", ".join(parts)

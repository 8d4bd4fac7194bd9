"""The settings of torch that are restored: (name, how to read it, how to set it back)."""

import functools


@functools.cache
def of_torch(torch):
    """Torch's settings: those that change numbers, shapes of errors, or what is printed, in this thread."""
    shown = vars(torch._tensor_str.PRINT_OPTS)
    tiny, one = 1e-310, 1.0  # Python multiplies with the same instruction, in far less time than a tensor

    def deterministic():
        return torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled()

    def set_device(old):  # reading gives "cpu" both when nothing was set and when "cpu" was; None is the former
        torch.set_default_device(None if old == torch.device("cpu") else old)

    def set_autocast(old):
        torch.set_autocast_enabled("cpu", old[0])
        torch.set_autocast_dtype("cpu", old[1])

    return (
        ("torch's default dtype", torch.get_default_dtype, torch.set_default_dtype),
        ("torch's default device", torch.get_default_device, set_device),
        ("torch's gradient mode", torch.is_grad_enabled, torch.set_grad_enabled),
        ("torch's number of threads", torch.get_num_threads, torch.set_num_threads),
        ("torch's deterministic algorithms", deterministic, lambda old: torch.use_deterministic_algorithms(
            old[0], warn_only=old[1])),
        ("torch's anomaly detection", torch.is_anomaly_enabled, torch.set_anomaly_enabled),
        ("torch's precision of matrix products", torch.get_float32_matmul_precision,
         torch.set_float32_matmul_precision),
        ("torch's print options", shown.copy, shown.update),
        ("torch's autocast", lambda: (torch.is_autocast_enabled("cpu"), torch.get_autocast_dtype("cpu")), set_autocast),
        ("flush_denormal", lambda: tiny * one == 0, torch.set_flush_denormal),
    )  # fmt: skip

// The numbers of the course, computed in the page: tests compare them with pe_lib's.

export const range = (count) => Array.from({ length: count }, (_, n) => n);

export const frequencies = (d_model, base = 10000) =>
  range(Math.ceil(d_model / 2)).map((k) => base ** ((-2 * k) / d_model));

/** One row of the table. */
export const row = (pos, d_model, base = 10000) =>
  frequencies(d_model, base).flatMap((f) => [Math.sin(pos * f), Math.cos(pos * f)]);

export const dot = (a, b) => a.reduce((sum, value, n) => sum + value * b[n], 0);

/** A number with a true minus sign. */
export const written = (value, digits) => value.toFixed(digits).replace("-", "−");

const maxLength = 100

/** A name in backticks, on one line: it may come from a caller or from the service. */
export const codeSpan = (name: string): string =>
  `\`${JSON.stringify(name.length > maxLength ? `${name.slice(0, maxLength)}…` : name).slice(1, -1)}\``

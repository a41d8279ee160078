/** Quotes what a POSIX shell would not take as it is. */
export const shellQuoted = (text: string): string =>
  /^[\w./:=,@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`

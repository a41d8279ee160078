/** Text that was given on the command line, or by a service, may have control codes of terminals: they are escaped. */
export const printable = (text: string): string =>
  text.replaceAll(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)

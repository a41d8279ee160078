/** Foreign words for a line of ours: no line breaks or terminal codes, and no more than a person reads. */
export const inOneLine = (words: string): string => {
  const line = words
    .slice(0, 500)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
  return words.length > 500 ? `${line}…` : line
}

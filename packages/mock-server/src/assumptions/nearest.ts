/** How many letters have to be put in, taken out or changed to make `b` of `a`. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const above = row
    row = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(changed, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
  }
  return row.at(-1) ?? 0
}

const bare = (name: string) => name.toLowerCase().replaceAll(/[-_]/g, '').slice(0, 40)

/** The name most like `given`, for "did you mean". Capitals, hyphens and underscores do not count. */
export const nearest = (given: string, names: readonly string[]): string | undefined => {
  const ranked = names.map((name) => ({ name, steps: distance(bare(given), bare(name)) }))
  return ranked.toSorted((a, b) => a.steps - b.steps)[0]?.name
}

/** Names that other products have for something, and ours. `constructor` finds a function: check that the result is known. */
export const otherNames: Readonly<Record<string, string | undefined>> = {
  checkpoint: 'since',
  key: 'apiKey',
  order: 'sortOrder',
  pageSize: 'limit',
  source: 'from',
  token: 'apiKey',
  url: 'baseUrl',
  user: 'platformId',
  userId: 'platformId',
}

/** Number of letters to add, remove or replace to make `a` into `b`. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 0; i < a.length; i += 1) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j += 1) {
      next.push(Math.min((row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1)))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** The known name that another or a mistyped one was probably meant to be, if there is one. */
export const nearest = (name: string, known: readonly string[]): string | undefined => {
  const other = otherNames[name]
  if (other && known.includes(other)) return other
  const given = name.slice(0, 40).toLowerCase()
  const [best] = known
    .map((candidate) => {
      const wanted = candidate.toLowerCase()
      return { candidate, far: wanted.startsWith(given) ? 0 : distance(given, wanted) }
    })
    .filter(({ candidate, far }) => far <= Math.max(2, candidate.length / 3))
    .toSorted((a, b) => a.far - b.far)
  return best?.candidate
}

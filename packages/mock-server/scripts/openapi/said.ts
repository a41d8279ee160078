/** What the document says about a place, and what it leaves open there. */
export interface Said {
  readonly is: string
  /** Each open question as words that fit before ": not shown". */
  readonly open?: readonly string[]
}

/** One description of both: the facts first, then the silence. */
export const said = ({ is, open = [] }: Said): string => {
  if (open.length === 0) return is
  const [first = '', ...others] = open
  return `${is} ${[first.charAt(0).toUpperCase() + first.slice(1), ...others].join('; ')}: not shown.`
}

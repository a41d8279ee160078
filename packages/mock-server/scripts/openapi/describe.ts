/** What the spec says about a part of the service, and what it leaves open. */
export interface Description {
  readonly text: string
  /** What is unspecified, as nouns or clauses. */
  readonly unspecified?: readonly string[] | undefined
}

/** Combines both into the description of a part: `Number of the page. Unspecified: the largest page number.` */
export const describe = ({ text, unspecified = [] }: Description): string =>
  unspecified.length === 0 ? text : `${text} Unspecified: ${unspecified.join('; ')}.`

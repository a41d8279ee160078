const utc = /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?)(?:[.,](\d+))?/

/** The span of time that a `createdAt` may mean, in milliseconds since 1970: a whole second if it shows no parts of one. */
export interface Moment {
  readonly earliest: number
  readonly latest: number
}

/** Reads a `createdAt` in any of the spellings that the contract takes. */
export const momentOf = (createdAt: string): Moment => {
  const [, toTheSecond = '', parts] = (typeof createdAt === 'string' && utc.exec(createdAt)) || []
  const second = Date.parse(`${toTheSecond}Z`)
  if (parts === undefined) return { earliest: second, latest: second + 999 }
  const ms = second + Number(parts.slice(0, 3).padEnd(3, '0'))
  return { earliest: ms, latest: ms }
}

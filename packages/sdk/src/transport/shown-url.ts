/** Parameters whose values name nobody. Others may, such as those of paths that the spec does not describe. */
const harmless = new Set([
  'page',
  'limit',
  'from',
  'minAmount',
  'maxAmount',
  'startDate',
  'endDate',
  'sortBy',
  'sortOrder',
])

/** A URL as errors show it: without the values of query parameters that may name a person. */
export const shownUrl = (url: string): string =>
  url.replace(/([?&])([^=&]*)=[^&]*/g, (all, sign: string, name: string) =>
    harmless.has(name) ? all : `${sign}${name}=[redacted]`,
  )

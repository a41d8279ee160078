type Step = string | number

const stepsOf = (field: string): Step[] =>
  [...field.matchAll(/\w+|\*/g)].map(([step]) => (/^\d+$/.test(step) ? Number(step) : step))

const isHolder = (value: unknown): value is Record<Step, unknown> => typeof value === 'object' && value !== null

const breakAt = (holder: unknown, [step, ...rest]: readonly Step[], value: unknown): void => {
  if (!isHolder(holder) || step === undefined) return
  const names = step === '*' ? Object.keys(holder) : [step]
  for (const name of names) {
    // Its own fields and items; the length of a list is neither.
    if (!Object.prototype.propertyIsEnumerable.call(holder, name)) continue
    if (rest.length > 0) breakAt(holder[name], rest, value)
    else if (value === undefined) delete holder[name]
    else holder[name] = value
  }
}

/** A copy of a body in which a field is missing, or is `value`. Where there is no such field nothing changes. */
export const broken = (body: unknown, field: string, value: unknown): unknown => {
  const copy = structuredClone(body)
  breakAt(copy, stepsOf(field), value)
  return copy
}

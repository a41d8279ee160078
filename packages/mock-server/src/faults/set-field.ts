/** A name, the index of an element, or `*` for each of them. */
type Step = string | number

/** The steps of a path such as `data[0].platformId`. */
const stepsOf = (field: string): Step[] =>
  [...field.matchAll(/\w+|\*/g)].map(([step]) => (/^\d+$/.test(step) ? Number(step) : step))

const isContainer = (value: unknown): value is Record<Step, unknown> => typeof value === 'object' && value !== null

const setIn = (container: unknown, [step, ...rest]: readonly Step[], value: unknown): void => {
  if (!isContainer(container) || step === undefined) return
  const names = step === '*' ? Object.keys(container) : [step]
  for (const name of names) {
    // Its own fields and elements; the length of an array is neither.
    if (!Object.prototype.propertyIsEnumerable.call(container, name)) continue
    if (rest.length > 0) setIn(container[name], rest, value)
    else if (value === undefined) delete container[name]
    else container[name] = value
  }
}

/** A JSON body in which a field is missing, or is `value`. Where there is no such field nothing changes. */
export const setField = (body: string, field: string, value: unknown): string => {
  const content: unknown = JSON.parse(body)
  setIn(content, stepsOf(field), value)
  return JSON.stringify(content)
}

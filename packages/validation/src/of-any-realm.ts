// In Jest, jsdom and `node:vm`, errors, dates and signals of the runtime are no instances of the classes of their realm.

/** The value of a property; undefined where there is none, or where reading it throws. */
export const propertyOf = (value: unknown, name: PropertyKey): unknown => {
  try {
    return (value as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[name]
  } catch {
    return undefined
  }
}

/** Whether a value has the message of an error. */
export const isErrorLike = (value: unknown): value is Error =>
  typeof value === 'object' && typeof propertyOf(value, 'message') === 'string'

/** Whether a value is a `Date`, valid or not. */
export const isDateObject = (value: unknown): value is Date => Object.prototype.toString.call(value) === '[object Date]'

/** Whether a value is an `AbortSignal`, also one of a library. */
export const isSignal = (value: unknown): boolean =>
  typeof propertyOf(value, 'aborted') === 'boolean' && typeof propertyOf(value, 'addEventListener') === 'function'

/** What a call rejects with, or a function throws; fails the test if there is none. */
export const failureOf = async (call: Promise<unknown> | (() => unknown)): Promise<unknown> => {
  try {
    await (typeof call === 'function' ? call() : call)
  } catch (error) {
    return error
  }
  throw new Error('expected a failure, but there was none')
}

/** Handles the promise that a callback may have returned: nobody else would, and an unhandled rejection ends the process. */
export const ignoreRejection = (returned: unknown): void => {
  if (returned) Promise.resolve(returned).catch(() => {})
}

/** Calls a callback of the caller, if there is one. What it throws or rejects with is ignored, and it is not waited for. */
export const notify = <Values extends readonly unknown[]>(
  callback: ((...values: Values) => unknown) | undefined,
  ...values: Values
): void => {
  try {
    ignoreRejection(callback?.(...values))
  } catch {}
}

/** What node:test knows of the running test, as far as it is used here. Other runtimes may know less. */
interface NodeTestContext {
  readonly fullName?: string
  readonly filePath?: string
  readonly signal?: AbortSignal
}

/**
 * The running test of node:test, as `file > name`; `undefined` outside of its tests. A test that has ended does not
 * count: a server that it started may still respond to others.
 */
export const runningTest = (): readonly string[] | undefined => {
  const runner = globalThis.process?.getBuiltinModule?.('node:test') as
    | { getTestContext?: () => NodeTestContext | undefined }
    | undefined
  const context = runner?.getTestContext?.()
  return context?.signal?.aborted === false ? [`${context.filePath} > ${context.fullName}`] : undefined
}

/**
 * Milliseconds of processor time that the work takes. Use it instead of user time alone: how Linux divides processor time
 * into user and system time is an estimate, and either may be 0 after a few milliseconds of work.
 */
export const processorMs = async (work: () => unknown): Promise<number> => {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/**
 * Milliseconds of processor time that the work takes. User and system time together are exact; how Linux divides them
 * is an estimate, which can be 0 for 10 ms of work.
 */
export const processorMs = async (work: () => unknown): Promise<number> => {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

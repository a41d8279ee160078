/** Runs `run` once at the end of this turn of the event loop, however often it is called. */
export const oncePerTurn = (run: () => void): (() => void) => {
  let planned = false
  return () => {
    if (planned) return
    planned = true
    queueMicrotask(() => {
      planned = false
      run()
    })
  }
}

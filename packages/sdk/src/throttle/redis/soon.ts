/** Runs `run` once at the end of this turn of the loop, however often it is called for. */
export const soon = (run: () => void): (() => void) => {
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

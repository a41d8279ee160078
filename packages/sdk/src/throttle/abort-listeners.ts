/**
 * Members that leave when their signal aborts. One listener for each signal however many of them share it: a signal
 * searches its listeners at every change.
 */
export interface AbortListeners<Member> {
  add(signal: AbortSignal, member: Member): void
  remove(signal: AbortSignal, member: Member): void
}

export const createAbortListeners = <Member>(
  onAbort: (member: Member, reason: unknown) => void,
): AbortListeners<Member> => {
  const listeners = new Map<AbortSignal, { members: Set<Member>; abort: () => void }>()
  return {
    add(signal, member) {
      const known = listeners.get(signal)
      if (known) {
        known.members.add(member)
        return
      }
      const members = new Set([member])
      const abort = () => {
        for (const one of members) onAbort(one, signal.reason)
      }
      listeners.set(signal, { members, abort })
      signal.addEventListener('abort', abort)
    },
    remove(signal, member) {
      const listener = listeners.get(signal)
      if (!listener) return
      listener.members.delete(member)
      if (listener.members.size > 0) return
      signal.removeEventListener('abort', listener.abort)
      listeners.delete(signal)
    },
  }
}

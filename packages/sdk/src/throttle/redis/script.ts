/**
 * The whole protocol, run inside Redis on the time of Redis: tells how requests ended, and asks for leases.
 *
 * KEYS: leases (sorted set: lease, end of its hold), queue (sorted set: process, since when it waits), due (sorted set:
 * process, when it must have come back to keep its place), state (hash). They share one hash tag.
 *
 * ARGV: see `argumentsFor`. Returns: leases granted, milliseconds to wait for the next (-1: not queued), epoch, pace,
 * milliseconds of pause.
 */
export const script = `
local process, want, slots, window, margin = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local arrival, settle, pace, paused, rejoin = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9]), ARGV[10] == '1'
local ticket = tonumber(ARGV[11])
local leases, queue, due, state = KEYS[1], KEYS[2], KEYS[3], KEYS[4]

local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local known = redis.call('HMGET', state, 'epoch', 'server', 'pace', 'pause', 'sent')
local pause = tonumber(known[4] or 0)

-- A server that was flushed, restarted or took over may not know all leases: wait until their holders have told.
local info = redis.pcall('INFO', 'server')
local server = type(info) == 'string' and string.match(info, 'run_id:(%w+)') or ''
local epoch = known[1]
if not epoch or known[2] ~= server then
  epoch = server .. string.format('%.3f', now)
  rejoin = true
end
if rejoin then pause = math.max(pause, now + settle) end
if paused > 0 then pause = math.max(pause, now + paused) end
pace = math.max(pace, tonumber(known[3] or 1))

local gap, spacing = window + margin, 0
if pace == 2 then
  slots = math.max(1, slots - 1)
  spacing = math.floor(window / slots) + 1
elseif pace == 3 then
  gap = window / slots + margin
  slots = 1
end

for i = 12, #ARGV, 2 do
  if ARGV[i + 1] == 'x' then redis.call('ZREM', leases, ARGV[i])
  else redis.call('ZADD', leases, now + tonumber(ARGV[i + 1]) + gap, ARGV[i]) end
end
redis.call('ZREMRANGEBYSCORE', leases, '-inf', now)

local sent = tonumber(known[5] or 0)
local granted, wait = 0, -1
if want == 0 then
  redis.call('ZREM', queue, process)
  redis.call('ZREM', due, process)
elseif want > 0 then
  redis.call('ZADD', due, now + 1, process)
  for _, late in ipairs(redis.call('ZRANGEBYSCORE', due, '-inf', '(' .. string.format('%.3f', now))) do
    redis.call('ZREM', queue, late)
    redis.call('ZREM', due, late)
  end
  redis.call('ZADD', queue, 'NX', now, process)
  local ahead = redis.call('ZRANK', queue, process)
  local waiting = redis.call('ZCARD', queue)
  local free = slots - redis.call('ZCARD', leases)
  if pause <= now and sent + spacing <= now and free > ahead then
    granted = math.min(want, math.max(1, math.floor((free - ahead) / (waiting - ahead))))
    if spacing > 0 then granted = 1 end
    for i = 0, granted - 1 do
      redis.call('ZADD', leases, now + arrival + gap, process .. ':' .. string.format('%.0f', ticket + i))
    end
    free = free - granted
    sent = now
    redis.call('ZREM', queue, process)
    if want > granted then redis.call('ZADD', queue, now, process) end
    ahead = waiting - 1
  end
  if want > granted then
    -- A lease under way cannot end sooner than a gap from now, so nobody need look sooner than that.
    local at = now
    if ahead >= free then
      local ends = redis.call('ZRANGE', leases, ahead - free, ahead - free, 'WITHSCORES')
      at = math.min(tonumber(ends[2] or 1e18), now + gap)
    end
    at = math.max(at, pause, sent + spacing)
    wait = math.ceil(at - now)
    redis.call('ZADD', due, at + 250, process)
  else
    redis.call('ZREM', due, process)
  end
end

redis.call('HSET', state, 'epoch', epoch, 'server', server, 'pace', pace, 'pause', string.format('%.3f', pause), 'sent', string.format('%.3f', sent))
redis.call('PEXPIRE', state, 86400000)
for i = 1, 3 do redis.call('PEXPIRE', KEYS[i], 600000) end
return { granted, wait, epoch, pace, math.ceil(math.max(0, pause - now)) }
`

/** One conversation with Redis. */
export interface Talk {
  readonly process: string
  /** Leases wanted; 0 leaves the queue, -1 does not touch it. */
  readonly want: number
  readonly slots: number
  readonly windowMs: number
  readonly marginMs: number
  /** How long after the grant a request may arrive if nothing more is heard of it. */
  readonly arrivalMs: number
  /** How long nothing is granted after the leases may have been lost. */
  readonly settleMs: number
  /** 1 arrival, 2 spaced, 3 sequential. */
  readonly pace: number
  readonly pauseMs: number
  /** This process was out of touch, and may have sent requests meanwhile. */
  readonly rejoin: boolean
  /** Number of the first lease granted. */
  readonly ticket: number
  /** Leases of this process, and for how long from now their request may arrive; `x` frees one at once. */
  readonly leases: readonly (readonly [lease: string, arrivesForMs: number | 'x'])[]
}

export const argumentsFor = ({ leases, rejoin, ...talk }: Talk): string[] =>
  [
    talk.process,
    talk.want,
    talk.slots,
    talk.windowMs,
    talk.marginMs,
    talk.arrivalMs,
    talk.settleMs,
    talk.pace,
    talk.pauseMs,
    rejoin ? 1 : 0,
    talk.ticket,
    ...leases.flat(),
  ].map(String)

/** What Redis answered. */
export interface Answer {
  readonly granted: number
  /** When to ask again; negative if this process is not queued. */
  readonly waitMs: number
  /** Changes when Redis may have lost leases. */
  readonly epoch: string
  readonly pace: number
  readonly pauseMs: number
}

export const answerOf = (reply: unknown): Answer => {
  const [granted, waitMs, epoch, pace, pauseMs] = reply as unknown[]
  return {
    granted: Number(granted),
    waitMs: Number(waitMs),
    epoch: String(epoch),
    pace: Number(pace),
    pauseMs: Number(pauseMs),
  }
}

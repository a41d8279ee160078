/**
 * The whole protocol, run inside Redis on the clock of Redis: reports how requests ended, and requests leases.
 *
 * KEYS: leases (sorted set: lease, when it comes free), queue (sorted set: process, since when it waits), due (sorted
 * set: process, when it must have come back to keep its place), state (hash). They share one hash tag.
 *
 * Time here is the time of Redis less an offset that makes up for steps of its clock: it never goes back, and it does
 * not run ahead of a process by more than a second. All stored times are of this kind.
 *
 * The leases hold a sentinel, so that leases which Redis has evicted or lost are noticed like a new Redis.
 *
 * ARGV: a `SyncRequest` as JSON. Returns a `SyncResponse`.
 *
 * A string and no file of Lua: Node cannot import one, and where this package runs there may be no file system.
 */
export const script = `
local request = cjson.decode(ARGV[1])
local process, want, slots, window, margin = request.process, request.want, request.slots, request.windowMs, request.marginMs
local expected, reset, rejoin = request.expectedTime, request.reset, request.rejoin
local leases, queue, due, state = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local sentinel, distant = '#', 1e15
local known = {}
local fields = redis.call('HGETALL', state)
for i = 1, #fields, 2 do known[fields[i]] = fields[i + 1] end
local function number(name, default) return tonumber(known[name] or default) end
local clock = redis.call('TIME')
local real = clock[1] * 1000 + clock[2] / 1000
local last = number('last', 0)
local now = real - number('offset', 0)
if expected >= 0 and now > expected + 1000 then now = expected end
now = math.max(now, last)
local pause = reset and 0 or number('pause', 0)

-- The strictest of the processes that were here within the last minute counts for all.
local ownSlots, ownWindow, strictUntil = slots, window, number('strictUntil', 0)
if now < strictUntil then
  slots, window = math.min(slots, number('slots', slots)), math.max(window, number('window', window))
end
if now >= strictUntil or (slots == ownSlots and window == ownWindow) then strictUntil = now + 60000 end
local answered = number('answered', -1e12)
if request.answeredForMs >= 0 then answered = math.max(answered, now - request.answeredForMs) end

-- A server that was flushed, restarted, took over or evicted leases may not know all of them: wait for their holders.
local info = redis.pcall('INFO', 'server')
local server = type(info) == 'string' and string.match(info, 'run_id:(%w+)') or ''
-- The same where nobody synced for longer than processes with requests in flight do, and there are such leases: for a
-- process that starts, and so expects no time, the clock may have been set forward.
local silent = expected < 0 and now > last + 2500 and redis.call('ZCOUNT', leases, last + window + margin + 1, distant - 1) > 0
if silent or known.server ~= server or not redis.call('ZSCORE', leases, sentinel) then
  redis.call('ZADD', leases, distant, sentinel)
  rejoin = true
end
if rejoin then pause = math.max(pause, now + request.settleMs) end
if request.pauseMs > 0 then pause = math.max(pause, now + request.pauseMs) end

-- Pace: processes decide it. What one has made of the pace that is stored replaces it; one that knows another pace, or
-- other settings, syncs again before it gets leases.
local pace = known.pace and cjson.decode(known.pace) or { step = 0 }
local isCurrent = not reset and request.derivedFrom == pace.step
if reset then request.pace.step = math.max(request.pace.step, pace.step + 1) end
if isCurrent or reset then
  pace = request.pace
  pace.since, pace.steppedUpAt = now - pace.since, pace.steppedUpAt and now - pace.steppedUpAt
end
local fits = isCurrent and request.limits.of.slots == slots and request.limits.of.windowMs == window
local gap, spacing, rest = window + margin, request.limits.spacingMs, request.limits.restMs

for _, lease in ipairs(request.leases) do redis.call('ZADD', leases, now + lease[2] + gap, lease[1]) end
redis.call('ZREMRANGEBYSCORE', leases, '-inf', now)

-- One slot is kept for interactive calls for 5 seconds after the last one of any process.
local interactiveAt = number('interactiveAt', -5000)
if request.interactive then interactiveAt = now end
local usable = request.limits.slots
if not request.interactive and usable > 1 and now - interactiveAt < 5000 then usable = usable - 1 end

local sent = number('sent', 0)
local opens = math.max(pause, sent + spacing)
if rest > 0 then
  -- One request at a time: the lease that ends last is below the sentinel. In flight it may end at any time.
  local last = redis.call('ZREVRANGE', leases, 1, 1, 'WITHSCORES')[2]
  local ended = tonumber(last or 0) - gap
  opens = math.max(opens, math.min(ended, now) + rest)
end
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
  local free = usable - (redis.call('ZCARD', leases) - 1)
  if fits and opens <= now and free > ahead then
    -- Those that wait share what is free, also where another one comes before its turn.
    granted = math.min(want, math.max(1, math.floor(free / waiting)))
    if spacing > 0 or rest > 0 then granted = 1 end
    for i = 0, granted - 1 do
      redis.call('ZADD', leases, now + request.arrivalMs + gap, process .. ':' .. string.format('%.0f', request.ticket + i))
    end
    free = free - granted
    sent = now
    opens = now + math.max(spacing, rest)
    redis.call('ZREM', queue, process)
    if want > granted then redis.call('ZADD', queue, now, process) end
    ahead = waiting - 1
  end
  if want > granted then
    -- A lease in flight cannot end sooner than a gap from now, so nobody has to check sooner than that.
    local at = now
    if fits then
      if ahead >= free then
        local ends = redis.call('ZRANGE', leases, ahead - free, ahead - free, 'WITHSCORES')
        at = math.min(tonumber(ends[2] or 1e18), now + gap)
      end
      at = math.max(at, opens)
    end
    wait = math.ceil(at - now)
    redis.call('ZADD', due, at + 250, process)
  else
    redis.call('ZREM', due, process)
  end
end

local policy = ''
if expected < 0 then
  local memory = redis.pcall('INFO', 'memory')
  if type(memory) == 'string' and not string.find(memory, 'maxmemory:0%c') then
    policy = string.match(memory, 'maxmemory_policy:([%w-]+)') or ''
    if policy == 'noeviction' then policy = '' end
  end
end

local function ms(value) return string.format('%.3f', value) end
redis.call('HSET', state, 'server', server, 'last', ms(now), 'offset', ms(real - now), 'pause', ms(pause),
  'sent', ms(sent), 'interactiveAt', ms(interactiveAt), 'pace', cjson.encode(pace), 'answered', ms(answered),
  'slots', slots, 'window', ms(window), 'strictUntil', ms(strictUntil))
for i = 1, 4 do redis.call('PEXPIRE', KEYS[i], 172800000) end
return cjson.encode({ granted = granted, waitMs = wait, pace = pace, isCurrent = isCurrent,
  pauseMs = math.ceil(math.max(0, pause - now)), answeredForMs = math.floor(now - answered),
  slots = slots, windowMs = window, time = now, evictionPolicy = policy })
`

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
 * ARGV: see `argumentsFor`. Returns: leases granted, milliseconds to wait for the next (-1: not queued), epoch, pace,
 * slowdown, step, milliseconds of pause, time, and at the first sync of a process the policy by which Redis evicts keys.
 */
export const script = `
local process, want, slots, window, margin = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local arrival, settle, paused, rejoin = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8]), ARGV[9] == '1'
local ticket, interactive, expected, reset = tonumber(ARGV[10]), ARGV[11] == '1', tonumber(ARGV[12]), ARGV[13] == '1'
local ownpace, limited, completed, ownstep = tonumber(ARGV[14]), ARGV[15] == '1', tonumber(ARGV[16]), tonumber(ARGV[17])
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

-- A server that was flushed, restarted, took over or evicted leases may not know all of them: wait for their holders.
local info = redis.pcall('INFO', 'server')
local server = type(info) == 'string' and string.match(info, 'run_id:(%w+)') or ''
local epoch = known.epoch
-- The same where nobody synced for longer than processes with requests in flight do, and there are such leases: for a
-- process that starts, and so expects no time, the clock may have been set forward.
local silent = expected < 0 and now > last + 2500 and redis.call('ZCOUNT', leases, last + window + margin + 1, distant - 1) > 0
if not epoch or silent or known.server ~= server or not redis.call('ZSCORE', leases, sentinel) then
  epoch = server .. string.format('%.3f', now)
  redis.call('ZADD', leases, distant, sentinel)
  rejoin = true
end
if rejoin then pause = math.max(pause, now + settle) end
if paused > 0 then pause = math.max(pause, now + paused) end

-- Pace: the same rules as in pace.ts. 1 arrival, 2 spaced, 3 sequential.
local pace, slowdown, step = number('pace', 1), number('slowdown', 1), number('step', 0)
local since, quiet, up, done = number('since', 0), number('quiet', 600000), number('up', -1), number('done', 0)
if reset then
  pace, slowdown, step, quiet, up, done = 1, 1, step + 1, 600000, -1, 0
elseif rejoin and ownpace > pace then
  pace, step, since = ownpace, step + 1, now
end
while pace > 1 and now - since >= quiet do
  pace, slowdown, step, since, done = pace - 1, 1, step + 1, since + quiet, 0
  up = since
end
if limited and ownstep == step then
  if up >= 0 then quiet = now - up < quiet and math.min(86400000, quiet * 2) or 600000 end
  if pace == 3 then slowdown = math.min(4, slowdown * 2) end
  pace, step, since, up, done = math.min(3, pace + 1), step + 1, now, -1, 0
elseif limited then
  since = math.max(since, now)
elseif completed > 0 and ownstep == step and slowdown > 1 then
  done = done + completed
  if done >= 20 then slowdown, step, done = slowdown / 2, step + 1, 0 end
end

local gap, spacing = window + margin, 0
if pace == 2 then
  slots = math.max(1, slots - 1)
  spacing = math.floor(window / slots) + 1
elseif pace == 3 then
  gap = window / slots * slowdown + margin
  slots = 1
end

for i = 18, #ARGV, 2 do
  if ARGV[i + 1] == 'x' then redis.call('ZREM', leases, ARGV[i])
  else redis.call('ZADD', leases, now + tonumber(ARGV[i + 1]) + gap, ARGV[i]) end
end
redis.call('ZREMRANGEBYSCORE', leases, '-inf', now)

-- One slot is kept for interactive calls while any process makes some.
local interactiveAt = number('interactiveAt', -60000)
if interactive then interactiveAt = now end
local usable = slots
if not interactive and slots > 1 and now - interactiveAt < 60000 then usable = slots - 1 end

local sent = number('sent', 0)
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
    -- A lease in flight cannot end sooner than a gap from now, so nobody has to check sooner than that.
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

local policy = ''
if expected < 0 then
  local memory = redis.pcall('INFO', 'memory')
  if type(memory) == 'string' and not string.find(memory, 'maxmemory:0%c') then
    policy = string.match(memory, 'maxmemory_policy:([%w-]+)') or ''
  end
end

local function ms(value) return string.format('%.3f', value) end
redis.call('HSET', state, 'epoch', epoch, 'server', server, 'last', ms(now), 'offset', ms(real - now), 'pause', ms(pause),
  'sent', ms(sent), 'interactiveAt', ms(interactiveAt), 'pace', pace, 'slowdown', slowdown, 'step', step,
  'since', ms(since), 'quiet', ms(quiet), 'up', ms(up), 'done', done)
for i = 1, 4 do redis.call('PEXPIRE', KEYS[i], 172800000) end
return { granted, wait, epoch, pace, slowdown, step, math.ceil(math.max(0, pause - now)), ms(now), policy }
`

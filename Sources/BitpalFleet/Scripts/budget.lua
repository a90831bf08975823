-- One change of a budget that several machines share, with nobody in between. It keeps to the rules of RequestBudget and
-- WindowLog, which count the same way in memory and in a file; tests hold it against them.
--
-- KEYS: the mark, the budget.
-- ARGV:  1 which start of the server this is     2 a new token            3 the epoch that the machine remembers, or nothing
--        4 the budgets: limit/window;...         5 what has likely been used of them where nothing is kept, or nothing
--        6 how long after a loss nothing is whole   7 1 to change what is not whole too   8 the change   9 its number
-- Instants and durations are whole microseconds, which Lua's numbers hold exactly. The clock is the server's.
--
-- Returns: what became of it, the time, a place or a wait (-1 for none), which budget is the cause (0 for a pause), how much
-- of it is used, the mark.

local LONG = 300 * 1000000      -- of longer windows what is likely used is known or estimated
local FUTURE = 86400 * 1000000  -- nothing is booked so far ahead
local PAUSE = 3600 * 1000000    -- the longest that a source may ask for
local EXACT, MOST = 128, 512    -- requests kept one by one; slots of a log
local EARLY = 100 * 1000        -- so long before its time a place may be confirmed
local FRESH = 600               -- seconds after which a new mark is believed by all

local time = redis.call('TIME')
local clock = time[1] * 1000000 + time[2]

-- The mark says which counting this is: run token seconds microseconds state.
--
-- It is new, and all that counts is counted, only when there was none and whoever makes it remembers none; otherwise
-- something is lost: when it is of another start of the server, when somebody remembers another one, when somebody comes
-- back who has counted alone.
local function mark(returns)
  local run, known = ARGV[1], ARGV[3]
  local text = redis.call('GET', KEYS[1])
  local own, token, begin, state = string.match(text or '', '^(%S+) (%S+) (%d+) %d+ (%S+)$')
  if own == run then
    local forgot = state == 'new' and known ~= '' and known ~= own .. ' ' .. token and time[1] - begin < FRESH
    if not returns and not forgot then return text end
  else
    token = ARGV[2]
  end
  state = (not text and known == '' and not returns) and 'new' or 'lost'
  text = run .. ' ' .. token .. ' ' .. time[1] .. ' ' .. time[2] .. ' ' .. state
  redis.call('SET', KEYS[1], text)
  return text
end

local change, number = ARGV[8], tonumber(ARGV[9])
local marked = mark(change == 'return')
if change == 'return' then return {'done', clock, -1, 0, 0, marked} end

-- Logs -----------------------------------------------------------------------------------------------------------------

local function away(log) return log.window + math.min(math.floor(log.window / 32), 100000) end

local function read(text)
  local logs = {}
  for limit, window, slots in string.gmatch(text, '(%d+)/(%d+):?([^;]*)') do
    local log = {limit = tonumber(limit), window = tonumber(window), slots = {}}
    for first, last, count in string.gmatch(slots, '(%d+) (%d+) (%d+)') do
      log.slots[#log.slots + 1] = {tonumber(first), tonumber(last), tonumber(count)}
    end
    logs[#logs + 1] = log
  end
  return logs
end

local function write(logs)
  local texts = {}
  for i, log in ipairs(logs) do
    local slots = {}
    for j, slot in ipairs(log.slots) do slots[j] = string.format('%.0f %.0f %.0f', slot[1], slot[2], slot[3]) end
    texts[i] = string.format('%.0f/%.0f:', log.limit, log.window) .. table.concat(slots, ',')
  end
  return table.concat(texts, ';')
end

local function used(log, now)
  local count = 0
  for _, slot in ipairs(log.slots) do
    if slot[2] + away(log) > now then count = count + slot[3] end
  end
  return count
end

-- Whether no window would hold too many with one more at an instant: the fullest begin with it or with a slot before it.
local function hasRoom(log, at)
  local near, total = {}, 0
  for _, slot in ipairs(log.slots) do
    if slot[2] > at - away(log) and slot[1] < at + away(log) then
      near[#near + 1] = slot
      total = total + slot[3]
    end
  end
  if total < log.limit then return true end
  local first, stop, count = 1, 1, 0
  local function isFull(start)
    while stop <= #near and near[stop][1] < start + away(log) do
      count = count + near[stop][3]
      stop = stop + 1
    end
    while first < stop and near[first][2] < start do
      count = count - near[first][3]
      first = first + 1
    end
    return count >= log.limit
  end
  for _, slot in ipairs(near) do
    if slot[2] < at and isFull(slot[2]) then return false end
  end
  return not isFull(at)
end

local function earliest(log, start)
  if hasRoom(log, start) then return start end
  if #log.slots >= MOST then return nil end
  for _, slot in ipairs(log.slots) do
    local at = slot[2] + away(log)
    if at > start and hasRoom(log, at) then return at end
  end
  return nil
end

local function add(log, at, count)
  local width = log.limit > EXACT and math.floor(log.window / EXACT) or 0
  local index = #log.slots
  while index > 0 and log.slots[index][1] > at do index = index - 1 end
  local slot = log.slots[index]
  if slot and (at <= slot[2] or at - slot[1] < width) then
    slot[2], slot[3] = math.max(slot[2], at), slot[3] + count
  else
    table.insert(log.slots, index + 1, {at, at, count})
  end
end

-- The slot in which a request is counted; nil when none is.
local function find(log, at)
  for index = #log.slots, 1, -1 do
    if log.slots[index][1] <= at and at <= log.slots[index][2] then return index end
  end
  return nil
end

local function remove(log, at)
  local index = find(log, at)
  if not index then return end
  local slot = log.slots[index]
  if slot[3] > 1 then slot[3] = slot[3] - 1 else table.remove(log.slots, index) end
end

-- The budget -----------------------------------------------------------------------------------------------------------

local limits = read(ARGV[4])
local kept = redis.call('GET', KEYS[2]) or ''
local written, at, blocked, text = string.match(kept, '^(%d+) (%d+) (%d+) ([%d/:, ;]*)$')
local logs, now
if written and tonumber(at) < 2 ^ 52 then
  -- Its own clock goes on with the server's, and not at all where that has gone back.
  now = tonumber(at) + math.max(0, clock - tonumber(written))
  blocked = math.min(tonumber(blocked), now + PAUSE)
  logs = read(text)
else
  now, blocked = clock, 0
  for _, limit in ipairs(limits) do
    if limit.window > LONG and kept == '' and ARGV[5] == '' then return {'unknown', now, -1, 0, 0, marked} end
  end
  logs = read(ARGV[5] == '' and ARGV[4] or ARGV[5])
  -- What cannot be read was written by somebody who has counted, and who has counted here knows that it was there.
  local isLost = kept ~= '' or string.sub(marked, 1, #ARGV[3] + 1) == ARGV[3] .. ' '
  for _, log in ipairs(logs) do
    if isLost and log.window <= LONG then add(log, now, log.limit) end
  end
end
for _, log in ipairs(logs) do
  local slots = {}
  for _, slot in ipairs(log.slots) do
    if slot[2] > now + FUTURE then
      slots = {}
      break
    end
    if slot[2] + away(log) > now then slots[#slots + 1] = slot end
  end
  log.slots = slots
end

-- Goes on under other budgets, with what the longest of the old ones has counted.
local longest, isSame = nil, #logs == #limits
for i, log in ipairs(logs) do
  if not longest or log.window > longest.window then longest = log end
  isSame = isSame and log.limit == limits[i].limit and log.window == limits[i].window
end
if not isSame then
  for _, limit in ipairs(limits) do
    local source = longest
    for _, log in ipairs(logs) do
      if log.limit == limit.limit and log.window == limit.window then source = log end
    end
    for _, slot in ipairs(source and source.slots or {}) do
      limit.slots[#limit.slots + 1] = {slot[1], slot[2], math.min(slot[3], limit.limit)}
    end
  end
  logs = limits
end

-- The change -----------------------------------------------------------------------------------------------------------

local second, micro, state = string.match(marked, '(%d+) (%d+) (%S+)$')
if state == 'lost' and ARGV[7] ~= '1' and blocked <= now
  and math.abs(clock - (second * 1000000 + micro)) < tonumber(ARGV[6])
then
  return {'incomplete', now, -1, 0, 0, marked}
end

local function keep()
  redis.call('SET', KEYS[2], string.format('%.0f %.0f %.0f ', clock, now, blocked) .. write(logs))
end

local function give(place)
  for _, log in ipairs(logs) do remove(log, place) end
  keep()
end

if change == 'take' then
  local place, cause, count = math.max(now, blocked), 0, 0
  local index = 1
  while index <= #logs do
    local next = earliest(logs[index], place)
    if next == place then
      index = index + 1
    else
      cause, count = index, math.min(logs[index].limit, used(logs[index], now))
      if not next then return {'refused', now, -1, cause, count, marked} end
      place, index = next, 1
    end
  end
  if number >= 0 and place - now > number then return {'refused', now, place - now, cause, count, marked} end
  for _, log in ipairs(logs) do add(log, place, 1) end
  keep()
  return {'booked', now, place, cause, count, marked}
elseif change == 'confirm' then
  -- Who waits asks a little early, and who has slept too short a while sleeps again.
  if now < number - EARLY then return {'early', now, -1, 0, 0, marked} end
  local isUsable = blocked <= math.max(now, number)
  for _, log in ipairs(logs) do
    isUsable = isUsable and now - number <= away(log) - log.window and find(log, number) ~= nil
  end
  if isUsable then
    -- Nobody goes by a count that can only be read: others keep to their shares by then.
    keep()
    return {'usable', now, -1, 0, 0, marked}
  end
  give(number)
  return {'void', now, -1, 0, 0, marked}
elseif change == 'give' then
  give(number)
elseif change == 'count' then
  for _, log in ipairs(logs) do add(log, now, 1) end
  keep()
elseif change == 'block' then
  blocked = math.max(blocked, now + math.min(number, PAUSE))
  keep()
end
return {'done', now, -1, 0, 0, marked}

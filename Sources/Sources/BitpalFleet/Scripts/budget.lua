-- One change of a budget that the machines of a fleet share, by the rule of RequestBudget and WindowLog; a test compares both.
-- KEYS: the budget, a hash; what the names of its lists begin with. A list holds the stamps of the tokens under one limit.
-- ARGV: 1 this start of the server, 2 a new token, 3 the generation that the machine remembers, or nothing, 4 the limits,
--   `limit/window;...`, 5 the operation: `take` COUNT MARGIN PATIENCE (-1: any) HAS_WAITED, `give` STAMP COUNT, `block` PAUSE, `report`
--   NAME MEMBERS IS_ALL USE: the tokens of a machine under long windows, `;limit/window:age count,...`, all or those used alone.
-- Instants are whole microseconds on the budget's own clock, which follows the server's and never goes back.
-- Returns: a word, the time, the earliest instant or the stamp, the turn, the cause, its tokens, the generation.
local LONG, GATHER, HOUR, AHEAD, GRACE, NEVER, MOST = 60e6, 5e6, 3600e6, 10e6, 100e3, 1e15, 1000000
local key, known, operation, time = KEYS[1], ARGV[3], ARGV[5], redis.call('TIME')
local clock = time[1] * 1000000 + time[2]
-- The state. Where it is missing, of another start of the server or unreadable, a new generation begins. It is `lost` where
-- something was there or a machine remembers another one: 1 until all members have reported, then 2.
local kept, fields, state, names, longest, width = redis.pcall('HGETALL', key), {}, {}, ARGV[4], nil, 0
for index = 1, kept.err and 0 or #kept, 2 do fields[kept[index]] = kept[index + 1] end
for number in string.gmatch(fields.state or '', '%d+') do state[#state + 1] = tonumber(number) end
local written, now, newest, blocked, waiting, birth, lost, members = unpack(state)
local isSound = members ~= nil and string.sub(fields.generation or '', 1, #ARGV[1] + 1) == ARGV[1] .. ' '
now = isSound and now + math.max(0, clock - written) or clock
for name, text in pairs(fields) do
  local window = tonumber(string.match(name, '^%d+/(%d+)$'))
  if window then
    isSound = isSound and tostring(redis.pcall('LLEN', KEYS[2] .. name)) == string.match(text, '^%d+')
    if window > width then longest, width = name, window end
  elseif string.sub(name, 1, 2) == 's:' then
    if now - (tonumber(text) or 0) <= HOUR then names = names .. ';' .. name else redis.call('HDEL', key, name) end
  end
end
if not isSound then
  for name in pairs(fields) do redis.call('DEL', KEYS[2] .. name) end
  redis.call('DEL', key)
  now, newest, blocked, waiting, birth, members = clock, 0, 0, 0, clock, 0
  lost = (known ~= '' or kept.err or #kept > 0) and 1 or 0
  fields, names, longest = {generation = ARGV[1] .. ' ' .. ARGV[2]}, ARGV[4], nil
end
-- The logs: of all limits that a machine has named within an hour, so that all machines keep to the strictest.
local logs = {}
local function at(log, index)
  local stamp = tonumber(redis.call('LINDEX', log.key, index)) or 0
  return stamp <= now + AHEAD + log.width and stamp or 0
end
local function rounded(log, stamp) return string.format('%.0f', math.ceil(stamp / log.width) * log.width) end
local function add(log, count, stamp)
  for _ = 1, count do redis.call('RPUSH', log.key, rounded(log, stamp)) log.used = log.used + 1 end
end
for name, limit, window in string.gmatch(names, '((%d+)/(%d+))') do
  if not logs[name] then
    local log = {name = name, key = KEYS[2] .. name, limit = tonumber(limit), window = tonumber(window), used = 0}
    log.width, log.isLong = log.limit > 128 and math.max(1, math.floor(log.window / 128)) or 1, log.window > LONG
    log.held = not isSound and lost == 1 and log.isLong and log.limit or 0
    if fields[name] then
      log.used, log.held = tonumber(string.match(fields[name], '^%d+')), tonumber(string.match(fields[name], '%d+$'))
    else
      redis.call('DEL', log.key)
      local stamps = longest and redis.call('LRANGE', KEYS[2] .. longest, 0, -1) or {}
      for _, stamp in ipairs(stamps) do add(log, 1, tonumber(stamp) or 0) end
    end
    while log.used > 0 and at(log, 0) + log.window + GRACE <= now do redis.call('LPOP', log.key) log.used = log.used - 1 end
    if now >= birth + log.window then log.held = 0 end
    logs[name], logs[#logs + 1] = log, log
  end
end
for name in pairs(fields) do
  if string.find(name, '^%d+/') and not logs[name] then redis.call('HDEL', key, name) redis.call('DEL', KEYS[2] .. name) end
end
local word, instant, turn, cause, used = 'done', -1, -1, '', 0
if operation ~= 'report' and known ~= fields.generation and (known ~= '' or lost > 0) then
  word = 'report'
elseif operation == 'take' then
  local count, margin, patience = tonumber(ARGV[6]), math.min(tonumber(ARGV[7]), AHEAD), tonumber(ARGV[8])
  local grace, fullest, position = ARGV[9] == '0' and waiting > 0 and GRACE or 0, nil, 0
  instant = math.max(now, math.min(blocked, now + HOUR))
  for _, log in ipairs(logs) do
    local free, missing = now, log.used + log.held + count - log.limit
    if missing > 0 then free = (missing <= log.used and at(log, missing - 1) or birth) + log.window + grace end
    -- After a loss a short window is waited out, and the reports of a long one are waited for.
    free = math.max(free, birth + (lost > 0 and not log.isLong and log.window or lost == 1 and log.isLong and GATHER or 0))
    if count > log.limit then free = now + NEVER end
    if free > instant then instant, fullest, position = free, log, math.max(1, missing) - 1 + waiting end
  end
  if instant <= now then
    newest, waiting = math.max(math.min(newest, now + AHEAD), now + margin), math.max(0, waiting - 1)
    word, instant = 'taken', newest
    for _, log in ipairs(logs) do add(log, count, newest) end
  else
    word, turn = 'refused', instant
    if fullest then
      local rounds = math.floor(position / fullest.limit)
      local token = at(fullest, position - rounds * fullest.limit)
      turn = math.max(turn, token + fullest.window + (fullest.window + margin) * rounds)
      cause, used = fullest.name, math.min(fullest.limit, fullest.used + fullest.held)
    end
    if ARGV[9] == '0' and (patience < 0 or turn - now <= patience) then waiting = math.min(MOST, waiting + 1) end
  end
elseif operation == 'give' then
  for _, log in ipairs(logs) do
    log.used = log.used - redis.call('LREM', log.key, -tonumber(ARGV[7]), rounded(log, tonumber(ARGV[6])))
  end
elseif operation == 'block' then
  blocked = math.max(blocked, now + math.min(tonumber(ARGV[6]), HOUR))
elseif not string.find(fields.reports or '', ARGV[6], 1, true) then
  local most, isAll = tonumber(ARGV[7]), ARGV[8] == '1'
  members = members + (isAll and 1 or 0)
  for _, log in ipairs(logs) do
    if isAll and lost == 0 and log.isLong and now < birth + log.window then log.held = log.limit end
    for age, count in string.gmatch(string.match(ARGV[9], ';' .. log.name .. ':([^;]*)') or '', '(%d+) (%d+)') do
      if tonumber(age) < log.window then add(log, math.min(log.limit, tonumber(count)), math.max(0, now - age)) end
    end
    local stamps = redis.call('LRANGE', log.key, 0, -1)
    table.sort(stamps, function(a, b) return (tonumber(a) or 0) < (tonumber(b) or 0) end)
    for index, stamp in ipairs(stamps) do redis.call('LSET', log.key, index - 1, stamp) end
    -- Machines that have not reported may have used their share of the tokens that are not known to be used.
    local free = log.limit - log.used
    log.held = math.max(0, math.min(log.held, math.floor(free * math.max(0, most - members) / most), free - 1))
  end
  if isAll then lost = members < most and lost < 2 and 1 or 2 end
  redis.call('HSET', key, 'reports', string.sub((fields.reports or '') .. ' ' .. ARGV[6], -20000))
end
state = string.format('%.0f %.0f %.0f %.0f %.0f %.0f %.0f %.0f', clock, now, newest, blocked, waiting, birth, lost, members)
local words = {'generation', fields.generation, 's:' .. ARGV[4], string.format('%.0f', now), 'state', state}
for _, log in ipairs(logs) do words[#words + 1], words[#words + 2] = log.name, string.format('%.0f %.0f', log.used, log.held) end
redis.call('HSET', key, unpack(words))
return {word, now, instant, turn, cause, used, fields.generation}

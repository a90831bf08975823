/// The Lua scripts that Redis runs, each in one exclusive step.
enum FleetScripts {
  /// A script that makes one change of a budget; `budget.lua` describes its arguments.
  static let budget = String(decoding: PackageResources.budget_lua, as: UTF8.self)

  /// A script that takes all locks or none; it returns 1 when they are taken.
  ///
  /// Keys: the locks. Arguments: token, milliseconds.
  static let lock = """
    for _, key in ipairs(KEYS) do
      local holder = redis.call('GET', key)
      if holder and holder ~= ARGV[1] then return 0 end
    end
    for _, key in ipairs(KEYS) do redis.call('SET', key, ARGV[1], 'PX', ARGV[2]) end
    return 1
    """

  /// A script that releases the locks which the token still holds.
  ///
  /// Keys: the locks. Arguments: token.
  static let unlock = """
    for _, key in ipairs(KEYS) do
      if redis.call('GET', key) == ARGV[1] then redis.call('DEL', key) end
    end
    return 1
    """
}

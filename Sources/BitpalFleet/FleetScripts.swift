/// What Redis runs for us, with nobody in between.
enum FleetScripts {
  /// One change of a budget, as its own words say.
  static let budget = String(decoding: PackageResources.budget_lua, as: UTF8.self)

  /// Takes all flights or none; 1 when they are had.
  ///
  /// Keys: flights. Arguments: token, milliseconds.
  static let lock = """
    for _, key in ipairs(KEYS) do
      local holder = redis.call('GET', key)
      if holder and holder ~= ARGV[1] then return 0 end
    end
    for _, key in ipairs(KEYS) do redis.call('SET', key, ARGV[1], 'PX', ARGV[2]) end
    return 1
    """

  /// Lets go of those flights that are still held.
  ///
  /// Keys: flights. Arguments: token.
  static let unlock = """
    for _, key in ipairs(KEYS) do
      if redis.call('GET', key) == ARGV[1] then redis.call('DEL', key) end
    end
    return 1
    """
}

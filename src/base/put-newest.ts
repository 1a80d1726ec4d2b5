/** Puts an entry after all others; above `most` entries the oldest is removed. */
export function putNewest<Key, Value>(map: Map<Key, Value>, most: number, key: Key, value: Value): void {
  map.delete(key)
  map.set(key, value)
  const oldest = map.keys().next()
  if (map.size > most && oldest.done !== true) map.delete(oldest.value)
}

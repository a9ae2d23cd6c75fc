/** Deletes the entry that was added first if there are more than `sizeMax` entries. Call after each new entry. */
export function dropOldest<Key>(entries: Map<Key, unknown> | Set<Key>, sizeMax: number): void {
  if (entries.size <= sizeMax) return;
  const { done, value } = entries.keys().next();
  if (!done) entries.delete(value);
}

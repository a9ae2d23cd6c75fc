/** Returns a function that restores the registry. */
export function replaceEntries(registry: object, entries: object): () => void {
  const before = { ...registry };
  Object.assign(registry, entries);
  return () => {
    // All entries are removed first, so that the original order is restored.
    for (const key of Object.keys(registry)) Reflect.deleteProperty(registry, key);
    Object.assign(registry, before);
  };
}

/** Puts entries into a registry of the process, where other test files run too, and returns what takes them out. */
export function replaceEntries(registry: object, entries: object): () => void {
  const before = { ...registry };
  Object.assign(registry, entries);
  return () => {
    // All of them, so that they stand in the same order again.
    for (const key of Object.keys(registry)) Reflect.deleteProperty(registry, key);
    Object.assign(registry, before);
  };
}

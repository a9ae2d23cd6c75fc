/** Adds entries to a registry of the process, which other test files share, and returns a function that restores it. */
export function replaceEntries(registry: object, entries: object): () => void {
  const before = { ...registry };
  Object.assign(registry, entries);
  return () => {
    // Removes all of them, so that the original order is restored.
    for (const key of Object.keys(registry)) Reflect.deleteProperty(registry, key);
    Object.assign(registry, before);
  };
}

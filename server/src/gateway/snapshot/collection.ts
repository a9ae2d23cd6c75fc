/** Rows by id, with one more index over them; a row replaced or removed leaves no trace in the index. */
export interface Collection<Id, Entry extends { readonly id: Id }> {
  get(id: Id): Entry | undefined;
  /** All rows whose index key is this. */
  find(key: unknown): readonly Entry[];
  put(entry: Entry): void;
  remove(id: Id): void;
  /** Replaces everything. */
  reset(entries: readonly Entry[]): void;
  readonly size: number;
}

export function createCollection<Id, Entry extends { readonly id: Id }>(
  keyOf: (entry: Entry) => unknown,
): Collection<Id, Entry> {
  const byId = new Map<Id, Entry>();
  const byKey = new Map<unknown, Entry[]>();
  const remove = (id: Id) => {
    const old = byId.get(id);
    if (!old) return;
    byId.delete(id);
    const rest = (byKey.get(keyOf(old)) ?? []).filter((entry) => entry.id !== id);
    if (rest.length === 0) byKey.delete(keyOf(old));
    else byKey.set(keyOf(old), rest);
  };
  const put = (entry: Entry) => {
    remove(entry.id);
    byId.set(entry.id, entry);
    byKey.set(keyOf(entry), [...(byKey.get(keyOf(entry)) ?? []), entry]);
  };
  return {
    get: (id) => byId.get(id),
    find: (key) => byKey.get(key) ?? [],
    put,
    remove,
    reset(entries) {
      byId.clear();
      byKey.clear();
      for (const entry of entries) put(entry);
    },
    get size() {
      return byId.size;
    },
  };
}

import { isDeepStrictEqual } from 'node:util';

export interface Collection<Id, Entry extends { readonly id: Id }> {
  get(id: Id): Entry | undefined;
  ids(): Iterable<Id>;
  /** An unchanged row is ignored. */
  put(entry: Entry): void;
  remove(id: Id): void;
  readonly size: number;
}

/** Replaced and removed rows are also removed from the index. */
export interface IndexedCollection<Id, Entry extends { readonly id: Id }> extends Collection<Id, Entry> {
  /** When a row changes, the list is replaced rather than modified. */
  find(key: unknown): readonly Entry[];
}

export function createCollection<Id, Entry extends { readonly id: Id }>(): Collection<Id, Entry> {
  return collect(() => undefined);
}

export function createIndexedCollection<Id, Entry extends { readonly id: Id }>(
  keyOf: (entry: Entry) => unknown,
): IndexedCollection<Id, Entry> {
  const index = createIndex<Id, Entry>(keyOf);
  return Object.assign(collect<Id, Entry>(index.replace), { find: index.find });
}

function collect<Id, Entry extends { readonly id: Id }>(
  onReplace: (old: Entry | undefined, entry: Entry | undefined) => void,
): Collection<Id, Entry> {
  const byId = new Map<Id, Entry>();
  return {
    get: (id) => byId.get(id),
    ids: () => byId.keys(),
    put(entry) {
      const old = byId.get(entry.id);
      if (isDeepStrictEqual(old, entry)) return;
      byId.set(entry.id, entry);
      onReplace(old, entry);
    },
    remove(id) {
      const old = byId.get(id);
      byId.delete(id);
      onReplace(old, undefined);
    },
    get size() {
      return byId.size;
    },
  };
}

/**
 * Adding a row does not visit other rows in the group, and a group's list is built on first use. A group with one row
 * stores the row itself, since a map for each group would need more memory than all rows.
 */
function createIndex<Id, Entry extends { readonly id: Id }>(keyOf: (entry: Entry) => unknown) {
  const groups = new Map<unknown, Entry | Map<Id, Entry>>();
  const lists = new Map<unknown, readonly Entry[]>();
  const none: readonly Entry[] = [];
  const leave = (entry: Entry) => {
    const key = keyOf(entry);
    const group = groups.get(key);
    if (group instanceof Map) group.delete(entry.id);
    if (!(group instanceof Map) || group.size === 0) groups.delete(key);
    lists.delete(key);
  };
  const join = (entry: Entry) => {
    const key = keyOf(entry);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, entry);
    else if (group instanceof Map) group.set(entry.id, entry);
    else groups.set(key, new Map([group, entry].map((one) => [one.id, one])));
    lists.delete(key);
  };
  return {
    replace(old: Entry | undefined, entry: Entry | undefined) {
      if (old) leave(old);
      if (entry) join(entry);
    },
    find(key: unknown): readonly Entry[] {
      const known = lists.get(key);
      if (known) return known;
      const group = groups.get(key);
      if (group === undefined) return none;
      const list = group instanceof Map ? [...group.values()] : [group];
      lists.set(key, list);
      return list;
    },
  };
}

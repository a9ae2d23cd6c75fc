import { setImmediate as nextTurn } from 'node:timers/promises';
import type pg from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import { createSnapshot, type Snapshot } from './snapshot.ts';

const people = 100_000;
const pageMax = 500;

interface Row {
  readonly id: number;
}

/** A database of so many people of one tenant with a key each, which counts what it is asked for. */
class ManyRows {
  readonly users = Array.from({ length: people }, (_, index) => describeUser(index + 1));
  readonly keys = Array.from({ length: people }, (_, index) => describeKey(index + 1));
  pages: number[] = [];
  /** Called before each answer. */
  onAsk: (text: string) => void = () => undefined;

  async query({ text, values: [value] }: { text: string; values: [number | null | string[]] }) {
    await nextTurn();
    this.onAsk(text);
    const table: Row[] = text.includes('FROM users')
      ? this.users
      : text.includes('FROM api_keys')
        ? this.keys
        : [];
    const rows = Array.isArray(value)
      ? value.flatMap((id) => table.find((row) => row.id === Number(id)) ?? [])
      : this.#page(table, value ?? 0);
    if (table.length > 0) this.pages.push(rows.length);
    return { rows };
  }

  #page(table: readonly Row[], after: number): Row[] {
    const start = table[after]?.id === after + 1 ? after : table.findIndex(({ id }) => id > after);
    return start === -1 ? [] : table.slice(start, start + pageMax);
  }
}

const describeUser = (id: number, name = 'Ann') => ({
  id,
  ...{ tenantId: 1, name, email: `${id}@many.test`, role: 'user', isActive: true, blockedReason: null },
  ...{ tokenVersion: 1, score: 0, scoredAtMs: null, pace: null },
});
const describeKey = (id: number) => ({
  id,
  ...{ userId: id, name: 'k', hash: `hash-${id}`, scopes: ['models'], expiresAtMs: null },
});

let database: ManyRows;
let snapshot: Snapshot;
beforeEach(async () => {
  database = new ManyRows();
  // safe because the snapshot uses nothing else of a pool
  snapshot = createSnapshot(database as unknown as pg.Pool, () => null);
  await snapshot.load();
});

describe('a snapshot of 100,000 people and their keys', () => {
  it('is read page by page, each row once, with room for everything else in between', async () => {
    expect(snapshot.users.size).toBe(people);
    expect(snapshot.apiKeys.find('hash-77777')).toMatchObject([{ id: 77_777, userId: 77_777 }]);
    expect(Math.max(...database.pages)).toBe(pageMax);
    expect(database.pages).toHaveLength(2 * (people / pageMax + 1));
    let isReading = true;
    let longestRun = 0;
    let turns = 0;
    const watch = (async () => {
      for (let pagesBefore = 0; isReading; turns++) {
        pagesBefore = database.pages.length;
        await nextTurn();
        longestRun = Math.max(longestRun, database.pages.length - pagesBefore);
      }
    })();
    database.pages = [];
    await snapshot.load();
    isReading = false;
    await watch;
    expect(longestRun).toBe(1);
    expect(turns).toBeGreaterThan(2 * (people / pageMax));
  });

  it('keeps what has not changed, changes what has, and forgets what is gone', async () => {
    const same = snapshot.users.get(1);
    database.users[1] = describeUser(2, 'Bob');
    database.users.splice(99_998, 1);
    await snapshot.load();
    expect(snapshot.users.get(1)).toBe(same);
    expect(snapshot.users.get(2)).toMatchObject({ name: 'Bob' });
    expect([snapshot.users.get(99_999), snapshot.users.get(100_000)?.id, snapshot.users.size]).toEqual([
      undefined,
      100_000,
      people - 1,
    ]);
  });

  it('takes in changes while it is read anew, and keeps them', async () => {
    database.pages = [];
    const loading = snapshot.load();
    await expect.poll(() => database.pages.length).toBeGreaterThan(5);
    database.users[0] = describeUser(1, 'Changed');
    database.users.unshift(describeUser(-5));
    database.keys.splice(1, 1);
    const pagesBefore = database.pages.length;
    await Promise.all([snapshot.refresh('users', ['1', '-5']), snapshot.refresh('api_keys', ['2'])]);
    expect(database.pages.length - pagesBefore).toBeLessThan(10);
    await loading;
    expect(snapshot.users.get(1)).toMatchObject({ name: 'Changed' });
    expect(snapshot.users.get(-5)).toBeDefined();
    expect(snapshot.apiKeys.get(2)).toBeUndefined();
  });

  it('never lacks, while it is read anew, what is there', async () => {
    const missing: number[] = [];
    database.onAsk = () => {
      for (let id = 1; id <= people; id += 9_973) {
        const [key] = snapshot.apiKeys.find(`hash-${id}`);
        if (!key || !snapshot.users.get(key.userId)) missing.push(id);
      }
    };
    await snapshot.load();
    expect(missing).toEqual([]);
  });

  it('reads a change of all of them page by page too', async () => {
    database.pages = [];
    const ids = database.users.slice(0, 5_000).map(({ id }) => String(id));
    await snapshot.refresh('users', ids);
    expect(database.pages).toEqual(Array.from({ length: 10 }, () => pageMax));
  });
});

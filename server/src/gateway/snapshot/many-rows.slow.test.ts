import { setImmediate as nextTurn } from 'node:timers/promises';
import type pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSnapshot, type Snapshot } from './snapshot.ts';

const people = 100_000;
const pageMax = 250;
const ids = Array.from({ length: people }, (_, index) => index + 1);

class ManyRows {
  readonly users = new Map(ids.map((id) => [id, describeUser(id)]));
  readonly keys = new Map(ids.map((id) => [id, describeKey(id)]));
  pages: number[] = [];
  onAsk: (text: string) => void = () => undefined;

  async query({ text, values: [ids] }: { text: string; values: [ids?: string | string[]] }) {
    await nextTurn();
    this.onAsk(text);
    const table: ReadonlyMap<number, object> = text.includes('FROM users')
      ? this.users
      : text.includes('FROM api_keys')
        ? this.keys
        : new Map();
    if (ids === undefined) return { rows: this.#listPages(table) };
    const asked = typeof ids === 'string' ? ids.slice(1, -1).split(',') : ids;
    this.pages.push(asked.length);
    return { rows: asked.flatMap((id) => table.get(Number(id)) ?? []) };
  }

  #listPages(table: ReadonlyMap<number, object>): { ids: string }[] {
    const ids = [...table.keys()];
    return Array.from({ length: Math.ceil(ids.length / pageMax) }, (_, page) => ({
      ids: `{${ids.slice(page * pageMax, (page + 1) * pageMax)}}`,
    }));
  }
}

const describeUser = (id: number, name = 'Ann') => ({
  id,
  ...{ tenantId: 1, name, email: `${id}@many.test`, role: 'user', isActive: true, blockedReason: null },
  ...{
    tokenVersion: 1,
    hasSecondFactor: false,
    scoresDeviation: true,
    labels: {},
    score: 0,
    scoredAtMs: null,
    pace: null,
    recent: null,
  },
});
const describeKey = (id: number) => ({
  id,
  ...{ userId: id, name: 'k', hash: `hash-${id}`, scopes: ['models'], expiresAtMs: null },
  ...{
    kind: 'primary',
    models: null,
    dialects: null,
    networks: null,
    taskId: null,
    mintedBy: null,
    replacedBy: null,
    labels: {},
  },
});

let database: ManyRows;
let snapshot: Snapshot;
beforeAll(async () => {
  database = new ManyRows();
  // safe because the snapshot uses no other methods of a pool
  snapshot = createSnapshot(database as unknown as pg.Pool, () => null);
  await snapshot.load();
});

describe('snapshot of 100,000 users and their keys', () => {
  it('a large snapshot is read page by page, each row once, without blocking other work', async () => {
    expect(snapshot.users.size).toBe(people);
    expect(snapshot.apiKeys.find('hash-77777')).toMatchObject([{ id: 77_777, userId: 77_777 }]);
    expect(Math.max(...database.pages)).toBe(pageMax);
    expect(database.pages).toHaveLength(2 * (people / pageMax));
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
    expect(turns).toBeGreaterThanOrEqual(2 * (people / pageMax));
  });

  it('a large snapshot keeps unchanged rows, updates changed ones and removes deleted ones', async () => {
    const same = snapshot.users.get(1);
    database.users.set(2, describeUser(2, 'Bob'));
    database.users.delete(99_999);
    await snapshot.load();
    expect(snapshot.users.get(1)).toBe(same);
    expect(snapshot.users.get(2)).toMatchObject({ name: 'Bob' });
    expect([snapshot.users.get(99_999), snapshot.users.get(100_000)?.id, snapshot.users.size]).toEqual([
      undefined,
      100_000,
      people - 1,
    ]);
  });

  it('a large snapshot applies and keeps changes received during a full read', async () => {
    database.pages = [];
    const loading = snapshot.load();
    await expect.poll(() => database.pages.length).toBeGreaterThan(5);
    database.users.set(1, describeUser(1, 'Changed'));
    database.users.set(people + 1, describeUser(people + 1));
    database.keys.delete(2);
    const pagesBefore = database.pages.length;
    await Promise.all([
      snapshot.refresh('users', ['1', String(people + 1)]),
      snapshot.refresh('api_keys', ['2']),
    ]);
    expect(database.pages.length - pagesBefore).toBeLessThan(10);
    await loading;
    expect(snapshot.users.get(1)).toMatchObject({ name: 'Changed' });
    expect(snapshot.users.get(people + 1)).toBeDefined();
    expect(snapshot.apiKeys.get(2)).toBeUndefined();
  });

  it('a large snapshot never lacks existing rows during a full read', async () => {
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

  it('a large snapshot reads a change of 5,000 rows page by page', async () => {
    database.pages = [];
    await snapshot.refresh('users', ids.slice(0, 5_000).map(String));
    expect(database.pages).toEqual(Array.from({ length: 5_000 / pageMax }, () => pageMax));
  });
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithClickhouse, startChdb, testedStore } from '#test/clickhouse/start-chdb.ts';
import { createRandom } from '#test/processes/seeded-random.ts';
import { prepareClickhouse } from './clickhouse-request-log.ts';
import { choose } from './conditions.ts';
import { connect } from './connection.ts';
import { indexDays } from './log-indexes.ts';
import { textIndex } from './log-tables.ts';
import { floorOf } from './row-id.ts';

const random = createRandom('20261128');
const pick = <Value>(values: readonly Value[]): Value =>
  values[Math.floor(random() * values.length)] as Value;
const nowMs = Date.UTC(2026, 10, 25, 12);
const { signal } = new AbortController();

const pieces = [
  ...[
    'web',
    'hook',
    'Straße',
    'STRASSE',
    'naïve',
    'NAÏVE',
    'İstanbul',
    'ΣΊΣΥΦΟΣ',
    'ς',
    'σ',
    'ẞ',
    'e\u0301',
    '\u212a',
  ],
  ...[
    '100%',
    '_',
    '%',
    '\\',
    '\\%',
    "'",
    '"',
    '\n',
    '\t',
    ' ',
    '日本語',
    '日',
    '🦊',
    '👩‍👩‍👧',
    'ﬁ',
    'Ǆ',
    'a',
    '42',
  ],
];
const makeText = (most: number) =>
  Array.from({ length: 1 + Math.floor(random() * most) }, () => pick(pieces)).join('');
const maybe = (share: number, most: number) => (random() < share ? makeText(most) : null);

/** Rows of three days, of which the last one has not ended. */
const rows = Array.from({ length: 900 }, (_, place) => ({
  tenant_id: 1,
  id: String(floorOf(nowMs - (place % 3) * 86_400_000) + BigInt(Math.floor(random() * 2 ** 48))),
  received_at: '2026-11-25 00:00:00',
  status: pick(['success', 'error']),
  prompt: maybe(0.8, 20),
  response: maybe(0.8, 20),
  error_code: maybe(0.5, 3),
  error_message: maybe(0.5, 8),
}));

const escaped = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
const none = { users: [], tasks: [], searchedUsers: [] };
const textCondition = (text: string) => {
  const [condition] = choose({ search_like: escaped(text) }, none).alternatives;
  if (!condition) throw new Error('a search has no condition');
  return condition;
};
/** Part of a text, in another letter case, or a text that may occur nowhere. */
function makeSearch(): string {
  const { prompt, response, error_message: message } = pick(rows);
  const letters = [...(pick([prompt, response, message]) ?? makeText(3))];
  const from = Math.floor(random() * letters.length);
  const part = letters
    .slice(from, from + 1 + Math.floor(random() * 9))
    .join('')
    .normalize('NFC');
  return pick([part, part.toUpperCase(), part.toLowerCase(), `${part}${pick(pieces)}`]);
}

describeWithClickhouse('indexes of the request log', () => {
  let engine: Awaited<ReturnType<typeof startChdb>>;
  let connection: ReturnType<typeof connect>;
  let days: number;
  beforeAll(async () => {
    engine = await startChdb(testedStore);
    await prepareClickhouse(engine.url);
    connection = connect(engine.url);
    for (const part of [0, 1, 2])
      await connection.insert(
        'request_logs',
        rows.filter((_, place) => (place % 7) % 3 === part),
        { token: String(part) },
      );
    days = await indexDays(connection, nowMs, signal);
  });
  afterAll(async () => {
    await connection.close();
    await engine.close();
  });

  const find = async (text: string, usesIndexes: boolean) => {
    const { sql, params } = textCondition(text);
    const found = await connection.read<{ id: string }>(
      `SELECT id FROM request_logs WHERE ${sql} ORDER BY id`,
      {
        params,
        settings: { use_skip_indexes: usesIndexes ? 1 : 0, use_query_condition_cache: 0 },
      },
    );
    return found.map(({ id }) => id);
  };
  /** Returns the plan of a query on the rows of ended days. */
  const explain = async (sql: string, params = {}) => {
    const plan = await connection.read<{ explain: string }>(
      `SELECT explain FROM (EXPLAIN indexes = 1 SELECT id FROM ${connection.tables.stored}
       WHERE id < toUInt128('${floorOf(Date.UTC(2026, 10, 25))}') AND ${sql})`,
      { params },
    );
    return plan.map(({ explain: line }) => line.trim());
  };

  it('a search through the text index finds the same rows as a scan', async () => {
    let matches = 0;
    for (let round = 0; round < 150; round++) {
      const text = makeSearch();
      const found = await find(text, true);
      expect(found, JSON.stringify(text)).toEqual(await find(text, false));
      matches += found.length;
    }
    expect(matches).toBeGreaterThan(100);
  });

  it('indexDays builds the indexes of days that have ended, once', async () => {
    expect(days).toBe(2);
    expect(await indexDays(connection, nowMs, signal)).toBe(0);
    const parts = await connection.read<{ partition: string; count: string }>(
      `SELECT partition, count() AS count FROM system.parts WHERE active AND table = {table:String} GROUP BY partition ORDER BY partition`,
      { params: { table: connection.tables.stored } },
    );
    expect(parts.slice(0, 2)).toEqual([
      { partition: '2026-11-23', count: '1' },
      { partition: '2026-11-24', count: '1' },
    ]);
  });

  it('inserts leave the text index to indexDays', async () => {
    const today = await connection.read<{ explain: string }>(
      `SELECT explain FROM (EXPLAIN indexes = 1 SELECT id FROM ${connection.tables.stored}
       WHERE id >= toUInt128('${floorOf(Date.UTC(2026, 10, 25))}') AND ${textCondition('zebrafinch').sql})`,
      { params: textCondition('zebrafinch').params },
    );
    expect(today.map(({ explain: line }) => line.trim()).join('\n')).not.toMatch(/Parts: 0 /);
  });

  it.each(['zebrafinch', '日本語の本', '100%_\\x'])(
    'the plan of a search for %s skips all parts',
    async (text) => {
      const { sql, params } = textCondition(text);
      const plan = await explain(sql, params);
      expect(plan).toContain(`Name: ${textIndex}`);
      expect(plan.join('\n')).toMatch(/Parts: 0\/2/);
    },
  );

  it('the plan of a search for the end of an id uses its index', async () => {
    const chosen = choose({ search_like: '%0123abcd%', id_end: '0123abcd' }, none);
    const end = chosen.alternatives.at(-1);
    const plan = await explain(end?.sql ?? '', end?.params);
    expect(plan).toContain('Name: id_end');
  });

  it.each([
    ['cost', choose({ cost_above: '100000000' }, none)],
    ['model', choose({ model: 'no-such-model' }, none)],
  ])('the plan of a filter by %s uses its index', async (name, { sql, params }) => {
    expect(await explain(sql, params)).toContain(`Name: ${name}`);
  });

  it('createTables adds indexes to a table without them, and indexDays builds them', async () => {
    const { stored, onCluster } = connection.tables;
    for (const name of ['model', 'cost', 'id_end', textIndex])
      await connection.run(
        `ALTER TABLE ${stored}${onCluster} DROP INDEX ${name} SETTINGS mutations_sync = 2`,
      );
    await connection.run(
      `ALTER TABLE ${stored}${onCluster} RESET SETTING exclude_materialize_skip_indexes_on_merge`,
    );
    await prepareClickhouse(engine.url);
    expect(await indexDays(connection, nowMs, signal)).toBe(2);
    const { sql, params } = textCondition('zebrafinch');
    expect((await explain(sql, params)).join('\n')).toMatch(/Parts: 0\/2/);
  });
});

import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createLogger } from '#platform/logger.ts';
import { addTenant } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { emptyTables } from '#test/database/empty-tables.ts';
import { sampleRuns } from '#test/load/sample.ts';
import { createRecord } from '#test/requests/request-record.ts';
import { createShipRequests } from './ship-requests.ts';
import { listNgrams, makeSignature, makeTextBlocks } from './text-blocks.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const ofDatabase = async (texts: readonly string[]): Promise<number[][]> => {
  const { rows } = await database.pool.query<{ ngrams: number[] }>(
    'SELECT text_ngrams(content) AS ngrams FROM unnest($1::text[]) WITH ORDINALITY given (content, place) ORDER BY place',
    [texts],
  );
  return rows.map(({ ngrams }) => ngrams);
};
const sorted = (numbers: readonly number[]) => numbers.toSorted((one, other) => one - other);
// Use lowercase letters beyond ASCII only, because a database may not convert uppercase letters beyond ASCII.
const letters = fc.constantFrom(...'abcXYZ019 ._-%\\\'"{}\n\té ñ ж ü 漢字かな한 ', '😀', '𝒳', '—');

/** Text blocks written by 0.2.0 have trigrams instead of a signature. */
const toOldBlocks = `UPDATE request_log_text_blocks block SET signature = NULL, ngrams = (
    SELECT text_ngrams(string_agg(concat_ws(' ', prompt, response), ' ')) FROM request_log_bodies WHERE id = ANY (row_ids))
  WHERE get_byte(uuid_send(id), 15) % 2 = 0`;

const compareSearches = `WITH plain AS MATERIALIZED (
    SELECT id FROM request_log_bodies WHERE tenant_id = $2 AND (prompt ILIKE $1 OR response ILIKE $1)
  ), blocks AS MATERIALIZED (
    SELECT row_ids FROM find_text_blocks($2, '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff', text_ngrams($1))
  )
  SELECT (SELECT count(*)::integer FROM plain WHERE NOT EXISTS (SELECT FROM blocks WHERE plain.id = ANY (row_ids))) AS missing,
    ARRAY(SELECT id FROM plain ORDER BY id DESC LIMIT $3) AS plain,
    ARRAY(SELECT id FROM find_request_logs(jsonb_build_object('search_like', $1::text), $3) id
      ORDER BY id DESC) AS found`;

it('text_ngrams and the shipper compute the same trigrams', async () => {
  const texts = fc.array(fc.string({ unit: letters, maxLength: 60 }), { minLength: 20, maxLength: 20 });
  const property = fc.asyncProperty(texts, async (sample) => {
    const given = sample.map((text) => text.toWellFormed());
    expect(given.map((text) => sorted(listNgrams([text])))).toEqual((await ofDatabase(given)).map(sorted));
  });
  await fc.assert(property, { numRuns: 25 });
});

it('the trigrams of a search term are a subset of the trigrams of any text that contains it', () => {
  const property = fc.property(
    fc.string({ unit: letters }),
    fc.string({ unit: letters }),
    (around, sought) => {
      const ngrams = new Set(listNgrams([`${around}${sought}${around}`.toUpperCase()]));
      expect(listNgrams([sought]).filter((ngram) => !ngrams.has(ngram))).toEqual([]);
    },
  );
  fc.assert(property);
});

it('makeSignature and text_signature set the same bits', async () => {
  for (const count of [0, 1, 800, 2_000, 3_000, 50_000]) {
    const ngrams = Array.from({ length: count }, (_, place) => (place * 7_919) % 262_144);
    const signature = makeSignature(ngrams);
    const { rows } = await database.pool.query('SELECT text_signature($1, $2)::text AS bits', [
      ngrams,
      8 * signature.length,
    ]);
    const bits = Array.from(signature, (byte) => byte.toString(2).padStart(8, '0')).join('');
    expect(rows).toEqual([{ bits }]);
  }
});

it('a search by blocks finds the same rows as a plain search, including in blocks written by 0.2.0', async () => {
  const { pool } = database;
  const tenantId = await addTenant(pool, 'Acme');
  const client = await pool.connect();
  onTestFinished(() => client.release());
  await client.query("SELECT set_config('app.tenant', $1, false)", [String(tenantId)]);
  const ship = createShipRequests({ pool, nodeSlot: 0, log: createLogger('silent') });
  const word = fc.string({ unit: letters, minLength: 1, maxLength: 6 });
  const toText = (words: string[]) => words.join(' ').replaceAll('\0', '').toWellFormed();
  const text = fc.array(word, { maxLength: 30 }).map(toText);
  const batch = fc.array(fc.record({ prompt: text, response: text }), { minLength: 1, maxLength: 40 });
  const batches = fc.array(batch, { minLength: 3, maxLength: 6 });
  const places = fc.array(
    fc.record({ row: fc.nat(), from: fc.nat(60), length: fc.integer({ min: 3, max: 9 }) }),
    {
      minLength: 20,
      maxLength: 20,
    },
  );
  const property = fc.asyncProperty(batches, places, fc.boolean(), async (given, chosen, isOld) => {
    await emptyTables(database, 'request_logs', 'request_log_bodies', 'request_log_text_blocks');
    for (const rows of given)
      await ship(rows.map((row) => createRecord({ ...row, tenantId, status: 'success', httpStatus: 200 })));
    if (isOld) await pool.query(toOldBlocks);
    const rows = given.flat();
    for (const { row, from, length } of chosen) {
      const sought = (rows[row % rows.length]?.prompt ?? '')
        .slice(from, from + length)
        .toUpperCase()
        .toWellFormed();
      if (listNgrams([sought]).length === 0) continue;
      const pattern = `%${sought.replace(/[\\%_]/g, '\\$&')}%`;
      const found = await client.query(compareSearches, [pattern, tenantId, 2]);
      expect(found.rows[0], sought).toEqual({
        missing: 0,
        found: found.rows[0].plain,
        plain: found.rows[0].plain,
      });
    }
  });
  await fc.assert(property, { numRuns: sampleRuns(40) });
});

it('find_text_blocks skips blocks that lack a trigram of the search term', async () => {
  const { pool } = database;
  const tenantId = await addTenant(pool, 'Bolt');
  const ship = createShipRequests({ pool, nodeSlot: 0, log: createLogger('silent') });
  for (const prompt of ['the red parser', 'the blue socket', 'the green parser'])
    await ship([createRecord({ prompt, tenantId, status: 'success', httpStatus: 200 })]);
  const count = async (sought: string) =>
    (
      await pool.query<{ count: number }>(
        `SELECT count(*)::integer FROM find_text_blocks($1, '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff', $2)`,
        [tenantId, listNgrams([sought])],
      )
    ).rows[0]?.count;
  expect([await count('the '), await count('parser'), await count('zebrafinch')]).toEqual([3, 2, 0]);
});

it('a text block contains rows of one tenant and day, in order and up to the maximum size', () => {
  const id = (ms: number, end: number) =>
    `${ms
      .toString(16)
      .padStart(12, '0')
      .replace(/^(.{8})/, '$1-')}-7000-8000-${String(end).padStart(12, '0')}`;
  const dayMs = 86_400_000;
  const records = Array.from({ length: 600 }, (_, place) =>
    createRecord({
      id: id(dayMs * 20_000 + (place % 2) * dayMs, 600 - place),
      tenantId: 1 + (place % 3),
      prompt: place < 60 ? 'long '.repeat(4_000) : `word${place}`,
      response: place === 599 ? null : 'answer',
    }),
  );
  const silent = createRecord({ tenantId: 1, prompt: null, response: null });
  const blocks = makeTextBlocks([...records, silent]);
  expect(blocks.flatMap(({ rowIds }) => rowIds).toSorted()).toEqual(
    records.map((record) => record.id).toSorted(),
  );
  for (const { tenantId, rowIds } of blocks) {
    const rows = rowIds.map((rowId) => records.find((record) => record.id === rowId));
    expect(new Set(rows.map((row) => row?.tenantId))).toEqual(new Set([tenantId]));
    expect(new Set(rowIds.map((rowId) => rowId.slice(0, 13))).size).toBe(1);
    expect(rowIds).toEqual(rowIds.toSorted());
    expect(rowIds.length).toBeLessThanOrEqual(32);
    const length = rows.reduce((sum, row) => sum + (row?.prompt?.length ?? 0), 0);
    expect(rowIds.length === 1 || length <= 64 * 1024).toBe(true);
  }
});

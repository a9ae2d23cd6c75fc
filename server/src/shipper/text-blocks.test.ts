import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createRecord } from '#test/requests/request-record.ts';
import { listNgrams, makeTextBlocks } from './text-blocks.ts';

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
// Lower-case letters beyond ASCII, since a database may not fold upper-case ones.
const letters = fc.constantFrom(...'abcXYZ019 ._-%\\\'"{}\n\té ñ ж ü 漢字かな한 ', '😀', '𝒳', '—');

it('text_ngrams and the shipper compute the same trigrams', async () => {
  const texts = fc.array(fc.string({ unit: letters, maxLength: 60 }), { minLength: 20, maxLength: 20 });
  const property = fc.asyncProperty(texts, async (sample) => {
    const given = sample.map((text) => text.toWellFormed());
    expect(given.map((text) => sorted(listNgrams([text])))).toEqual((await ofDatabase(given)).map(sorted));
  });
  await fc.assert(property, { numRuns: 25 });
});

it('the trigrams of a search are among those of any text that contains it', () => {
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

it('a text block contains rows of one tenant and one day, in order and of limited size', () => {
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

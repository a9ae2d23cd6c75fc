import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPrice } from '#domain/price/price.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { priceTarget } from './price-target.ts';
import { createSnapshot, type Snapshot } from './snapshot.ts';

let database: TestDatabase;
let snapshot: Snapshot;
const atMs = Date.parse('2026-11-20T12:00:00Z');
const instance = { id: 7, tenantId: 1, providerKey: 'openai', isServiceManaged: false };

beforeAll(async () => {
  database = await createTestDatabase();
  snapshot = createSnapshot(database.pool, () => null);
  await snapshot.load();
});
afterAll(() => database.close());

const inputRate = (model: string, given = instance) => {
  return priceTarget(snapshot, given, model, atMs)?.price.base.input;
};

describe('priceTarget', () => {
  it('priceTarget uses the catalog price unless the provider or the instance has its own price', async () => {
    expect(inputRate('gpt-4o')).toBe(2_500_000_000n);
    const { rows } = await database.pool.query<{ id: number }>(
      `INSERT INTO price_overrides (provider_key, model, price) VALUES ('openai', 'gpt-4o', '{"input": 3, "output": 4}') RETURNING id`,
    );
    await snapshot.refresh('price_overrides', [String(rows[0]!.id)]);
    expect(inputRate('gpt-4o')).toBe(3_000_000_000n);
    expect(inputRate('gpt-4o', { ...instance, providerKey: 'azure_openai' })).toBe(2_500_000_000n);
    const own = readPrice({ input: 0.000000001, output: 0 });
    snapshot.priceOverrides.put({ id: 99, owner: instance.id, model: 'gpt-4o', price: own });
    expect(inputRate('gpt-4o')).toBe(1n);
    expect(inputRate('gpt-4o', { ...instance, id: 8 })).toBe(3_000_000_000n);
  });

  it('priceTarget returns no price if none is known', () => {
    expect(priceTarget(snapshot, instance, 'gpt-unheard-of', atMs)).toBeNull();
  });

  it("priceTarget adds the platform's markup only for service-managed instances", async () => {
    const markupOf = (isServiceManaged: boolean) =>
      priceTarget(snapshot, { ...instance, isServiceManaged }, 'gpt-4o', atMs)?.markupPercent;
    expect([markupOf(false), markupOf(true)]).toEqual([0, 20]);
    await database.pool.query('UPDATE platform_settings SET markup_percentage = 12.5');
    await snapshot.refresh('platform_settings', ['1']);
    expect([markupOf(false), markupOf(true)]).toEqual([0, 12.5]);
  });
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import { type CallKind, type CallRecord, runLoad } from '#test/load/load.ts';
import { isFullSize } from '#test/load/sample.ts';
import type { RequestRow } from '#test/requests/request-rows.ts';

const count = isFullSize ? 2_000 : 600;
const short = 'sandbox-normal:tokens=12';
const paced = 'sandbox-normal:tokens=20,interval_ms=3';
const kinds: CallKind[] = [
  { model: short },
  { model: short, stream: true },
  { model: paced, stream: true },
  { model: paced, stream: true, leaveAfterBytes: 0 },
  { model: paced, stream: true, leaveAfterBytes: 1_500 },
  { model: paced, leaveAfterBytes: 0 },
  { model: 'sandbox-error-500' },
  { model: 'sandbox-rate-limited', stream: true },
  { model: 'sandbox-reset', stream: true },
  { model: 'sandbox-truncated' },
  { model: 'sandbox-garbage', stream: true },
];

let gateway: TestGateway;
let calls: CallRecord[];
let rows: RequestRow[];
beforeAll(async () => {
  gateway = await startGateway({ seed: (seed) => seed.addInstance({ name: 'lab', models: [short, paced] }) });
  const { origin, apiKey } = gateway;
  const all = await runLoad({ origin, apiKey, kinds, concurrency: 50, count, name: 'mixed' });
  // A node at capacity rejects requests without a row. A busy machine causes such rejections.
  calls = all.filter(({ errorCode }) => errorCode !== 'overloaded');
  await gateway.drain();
  rows = await gateway.readRows();
});
afterAll(() => gateway.stop());

it('each accepted request of a mixed load at concurrency 50 has exactly one row, with the id its caller received', () => {
  expect(calls.length).toBeGreaterThan(count / 2);
  expect(calls.every(({ id }) => id !== null)).toBe(true);
  const pairsOf = (pairs: [string | null, string | null][]) => pairs.map((pair) => pair.join(' ')).sort();
  expect(pairsOf(rows.map((row) => [row.id, row.client_request_id]))).toEqual(
    pairsOf(calls.map((call) => [call.id, call.clientRequestId])),
  );
});

it('each call received by a provider is an attempt of a row with the billed tokens', () => {
  const entries = Map.groupBy(gateway.sandbox.journal.entries(), ({ requestId }) => requestId);
  const ids = new Set<string | null>(rows.map(({ id }) => id));
  expect([...entries.keys()].filter((id) => !ids.has(id))).toEqual([]);
  const differing = rows.filter((row) => {
    const billed = entries.get(row.id) ?? [];
    if (billed.length !== row.attempts) return true;
    const billedTokens = billed.reduce((sum, one) => sum + one.completionTokens, 0);
    if (row.usage_source === 'provider') return row.completion_tokens !== billedTokens;
    // Counted from the received text, so the token count differs from the provider's.
    return row.completion_tokens > 2 * billedTokens + 8 || row.completion_tokens < billedTokens / 2 - 8;
  });
  expect(differing).toEqual([]);
});

it('each row has the status that its caller received', () => {
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const { id, kind, status } of calls) {
    const row = byId.get(id ?? '')!;
    if (kind.leaveAfterBytes === undefined) {
      expect([kind, row.status]).toEqual([
        kind,
        kind.model.startsWith('sandbox-normal') ? 'success' : 'error',
      ]);
      expect(row.http_status).toBe(status);
    } else expect(['client_closed', 'success']).toContain(row.status);
  }
  expect(rows.filter((row) => row.status === 'client_closed').length).toBeGreaterThan(count / 20);
  const unexpected = gateway.problems.filter(
    ({ msg }) => msg !== 'a provider keeps failing: its circuit is open',
  );
  expect(unexpected).toEqual([]);
});

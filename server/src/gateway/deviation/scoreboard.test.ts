import { defaultDeviationPolicy } from '@sluice/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { type DeviationState, foldEvents, startState } from '#domain/deviation/fold.ts';
import { createRecord } from '#test/requests/request-record.ts';
import type { RequestRecord } from '../request-log/request-record.ts';
import { createCollection, createIndexedCollection } from '../snapshot/collection.ts';
import type { UserEntry } from '../snapshot/tables/callers.ts';
import type { TenantEntry } from '../snapshot/tables/tenants.ts';
import { createScoreboard, type Scoreboard } from './scoreboard.ts';

const { weights } = defaultDeviationPolicy;
const userId = 7;
const startMs = Date.parse('2026-11-20T10:00:00Z');

let users: ReturnType<typeof createCollection<number, UserEntry>>;
let scoreboard: Scoreboard;
beforeEach(() => {
  const tenants = createIndexedCollection<number, TenantEntry>(() => null);
  users = createCollection<number, UserEntry>();
  // safe because the scoreboard reads no other fields of a tenant
  tenants.put({ id: 1, deviationPolicy: defaultDeviationPolicy } as TenantEntry);
  know(startState);
  scoreboard = createScoreboard({ tenants, users });
});

// safe because the scoreboard reads no other fields of a user
const know = (deviation: DeviationState) => users.put({ id: userId, deviation } as UserEntry);

const asked = (index: number): RequestRecord =>
  createRecord({
    id: `request-${index}`,
    clientRequestId: null,
    receivedAtMs: startMs + index,
    tenantId: 1,
    userId,
    status: 'success',
    signals: { off_topic: 1 },
  });
const eventOf = ({ id, receivedAtMs, signals }: RequestRecord) => ({
  id,
  atMs: receivedAtMs,
  values: signals ?? {},
  repeats: 1,
  isRefused: false,
});
const fold = (records: RequestRecord[], state = startState) =>
  foldEvents(state, records.map(eventOf), weights).state;
const preview = (index: number) => scoreboard.preview(userId, eventOf(asked(index)), defaultDeviationPolicy);
const correct = (records: RequestRecord[], state: DeviationState) =>
  scoreboard.applyShipped(records, [{ userId, state, policy: defaultDeviationPolicy }]);

describe('scoreboard', () => {
  it("scoreboard counts the node's own requests before they are in the database", () => {
    for (const index of [0, 1, 2]) scoreboard.recordEnded(asked(index));
    expect(preview(3)?.before).toBe(fold([asked(0), asked(1), asked(2)]).score);
  });

  it('scoreboard counts no request twice when some have been shipped', () => {
    for (const index of [0, 1, 2]) scoreboard.recordEnded(asked(index));
    correct([asked(0), asked(1)], fold([asked(0), asked(1)]));
    expect(preview(3)?.before).toBe(fold([asked(0), asked(1), asked(2)]).score);
  });

  it('scoreboard counts no request twice when the snapshot includes a batch before applyShipped is called', () => {
    for (const index of [0, 1, 2]) scoreboard.recordEnded(asked(index));
    know(fold([asked(0), asked(1)]));
    expect(preview(3)?.before).toBe(fold([asked(0), asked(1), asked(2)]).score);
    correct([asked(0), asked(1)], fold([asked(0), asked(1)]));
    expect(preview(3)?.before).toBe(fold([asked(0), asked(1), asked(2)]).score);
  });

  it('scoreboard drops unconfirmed requests once they must be in the database', () => {
    scoreboard.recordEnded(asked(0));
    const laterMs = startMs + 2 * 3_600_000;
    correct([], { score: 0.6, scoredAtMs: laterMs, pace: null });
    expect(preview(laterMs - startMs)?.before).toBe(0.6);
  });

  it("scoreboard includes other nodes' requests after the next shipping and after the next snapshot", () => {
    scoreboard.recordEnded(asked(0));
    correct([asked(0)], { ...fold([asked(0)]), score: 0.6 });
    expect(preview(1)?.before).toBe(0.6);
    know({ score: 0.8, scoredAtMs: startMs + 10, pace: null });
    expect(preview(11)?.before).toBe(0.8);
  });

  it('scoreboard ignores a snapshot older than the last shipped state', () => {
    scoreboard.recordEnded(asked(5));
    correct([asked(5)], { score: 0.6, scoredAtMs: startMs + 5, pace: null });
    know({ score: 0.1, scoredAtMs: startMs + 1, pace: null });
    expect(preview(6)?.before).toBe(0.6);
  });

  it('scoreboard uses the lowered score after a user is unblocked', () => {
    correct([], { score: 0.95, scoredAtMs: startMs + 5, pace: null });
    know({ score: 0.45, scoredAtMs: startMs + 6, pace: null });
    expect(preview(7)?.before).toBe(0.45);
  });
});

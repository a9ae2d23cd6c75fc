import { describe, expect, it } from 'vitest';
import { createRecord } from '#test/requests/request-record.ts';
import { createRefusalAggregator } from './aggregate-refusals.ts';
import type { RequestRecord } from './request-record.ts';

const refusal = (id: string, errorCode = 'model_not_found'): RequestRecord =>
  createRecord({
    id,
    clientRequestId: null,
    receivedAtMs: 0,
    userId: 1,
    status: 'refused',
    errorCode,
  });

const setUp = () => {
  const rows: string[] = [];
  let nowMs = 0;
  const fold = createRefusalAggregator(
    ({ id, repeats }) => rows.push(`${id}x${repeats}`),
    () => nowMs,
  );
  return { rows, fold, passMs: (durationMs: number) => (nowMs += durationMs) };
};

describe('RefusalAggregator', () => {
  it('RefusalAggregator writes the first rejection immediately and the repeats of a minute as one row', () => {
    const { rows, fold, passMs } = setUp();
    for (const id of ['a', 'b', 'c']) fold.add(refusal(id));
    expect(rows).toEqual(['ax1']);
    passMs(60_000);
    fold.flush();
    expect(rows).toEqual(['ax1', 'cx2']);
  });

  it('RefusalAggregator counts each rejection reason separately', () => {
    const { rows, fold } = setUp();
    fold.add(refusal('a'));
    fold.add(refusal('b', 'invalid_json'));
    expect(rows).toEqual(['ax1', 'bx1']);
  });

  it('RefusalAggregator starts a new row per minute and loses none at the end', () => {
    const { rows, fold, passMs } = setUp();
    fold.add(refusal('a'));
    fold.add(refusal('b'));
    passMs(60_000);
    fold.add(refusal('c'));
    fold.add(refusal('d'));
    fold.flush(true);
    expect(rows).toEqual(['ax1', 'bx1', 'cx1', 'dx1']);
  });
});

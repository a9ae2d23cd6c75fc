import { expect, it } from 'vitest';
import { createRecord } from '#test/requests/request-record.ts';
import {
  addsToAdmission,
  fromJournalRecord,
  joinAdmission,
  toJournalRecord,
  toSettlement,
} from './journal-record.ts';
import type { RequestRecord } from './request-record.ts';

const partOf = (used: number) => ({
  kind: 'tokens_per_day' as const,
  allowanceId: '7',
  amount: 90,
  leased: 80,
  used,
});
const holdOf = (...used: number[]) => ({
  nodeId: '01234567-89ab-4def-8123-456789abcdef',
  inputTokens: 12,
  parts: used.map(partOf),
});

const admission = createRecord({
  clientRequestId: 'mine',
  tenantId: 1,
  userId: 2,
  apiKeyId: 3,
  taskId: 4,
  labels: { project: 'x' },
  downgradedByBudgetId: null,
  model: 'planned',
  intent: 'coding',
  confidence: 0.5,
  prompt: 'Say "hi" 🙂',
  requestBytes: 40,
  hold: holdOf(0, 0),
});

const ended: RequestRecord = {
  ...admission,
  model: 'served',
  labels: { project: 'y' },
  address: '192.0.2.1',
  status: 'success',
  httpStatus: 200,
  attempts: 2,
  responseTimeMs: 12.5,
  usage: { inputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 2, reasoningTokens: 0 },
  usageSource: 'provider',
  costNanoUsd: '120',
  response: 'hi',
  requestBody: '{"model":"m"}',
  responseBytes: 2,
  hold: holdOf(1, 7),
};

/** Records are JSON on disk. */
const store = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));

const expected = (record: RequestRecord) => ({ ...record, promptPrivacy: 'redacted' });

it('a complete record is read as it was written', () => {
  const written = store(toJournalRecord('settled', ended, 'redacted'));
  expect(addsToAdmission(written)).toBe(false);
  expect(fromJournalRecord(written)).toEqual(expected(ended));
});

it('a settlement and its admission give the complete record', () => {
  const admitted = store(toJournalRecord('admitted', admission, 'redacted'));
  const settlement = store(toSettlement(ended, 'redacted', 2));
  expect(addsToAdmission(admitted)).toBe(false);
  expect(addsToAdmission(settlement)).toBe(true);
  expect(settlement.texts).toEqual({ response: 'hi', requestBody: '{"model":"m"}' });
  expect(fromJournalRecord(joinAdmission(admitted, settlement))).toEqual(expected(ended));
});

it('a settlement is complete if its hold has a different number of parts than the admission', () => {
  const settlement = store(toSettlement({ ...ended, hold: holdOf(1, 2, 3) }, 'redacted', 2));
  expect(addsToAdmission(settlement)).toBe(false);
  expect(fromJournalRecord(settlement).hold).toEqual(holdOf(1, 2, 3));
});

it('a record of the previous release, which has named fields, is read', () => {
  const { prompt, response, requestBody, ...data } = store(ended);
  const texts = { prompt: prompt ?? '', response: response ?? '', requestBody: requestBody ?? '' };
  expect(fromJournalRecord({ kind: 'settled', id: ended.id, data, texts })).toEqual(ended);
});

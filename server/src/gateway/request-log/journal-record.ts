import type { PromptPrivacy } from '@sluice/contract';
import type { JournalRecord } from '../journal/frame.ts';
import type { RecordedHold, RecordedPart, RequestRecord } from './request-record.ts';

/**
 * Version of the lists below. A new field is appended to its list. Any other change needs a new version, since later
 * releases read older records, and a new `segmentHeader`, since earlier releases would misread it. Records from
 * before the first version have named fields.
 */
const version = 1;

/**
 * Section of each field, in the order of writing. `admitted` fields are final on admission; `ended` fields may change
 * until the request has ended.
 */
const places = {
  id: 'admitted',
  clientRequestId: 'admitted',
  receivedAtMs: 'admitted',
  tenantId: 'admitted',
  userId: 'admitted',
  apiKeyId: 'admitted',
  taskId: 'admitted',
  protocol: 'admitted',
  operation: 'admitted',
  modelRequested: 'admitted',
  downgradedByBudgetId: 'admitted',
  isStream: 'admitted',
  repeats: 'admitted',
  intent: 'admitted',
  confidence: 'admitted',
  signals: 'admitted',
  asked: 'admitted',
  requestBytes: 'admitted',
  requestSha256: 'admitted',
  teamId: 'ended',
  llmProviderId: 'ended',
  providerKey: 'ended',
  providerInstanceName: 'ended',
  model: 'ended',
  isServiceManaged: 'ended',
  labels: 'ended',
  address: 'ended',
  status: 'ended',
  httpStatus: 'ended',
  errorCode: 'ended',
  errorMessage: 'ended',
  attempts: 'ended',
  providerCalls: 'ended',
  isSent: 'ended',
  firstByteMs: 'ended',
  responseTimeMs: 'ended',
  usage: 'ended',
  usageSource: 'ended',
  costNanoUsd: 'ended',
  price: 'ended',
  responseBytes: 'ended',
  promptPrivacy: 'head',
  hold: 'hold',
  prompt: 'text',
  response: 'text',
  requestBody: 'text',
} as const satisfies Record<keyof RequestRecord, string>;

const listFields = (place: (typeof places)[keyof RequestRecord]) =>
  // safe because the keys are those of the object above
  (Object.keys(places) as (keyof RequestRecord)[]).filter((name) => places[name] === place);

const admittedFields = listFields('admitted');
const endedFields = listFields('ended');

type HoldData = readonly [
  nodeId: string,
  inputTokens: number,
  parts: readonly (readonly [
    kind: RecordedPart['kind'],
    allowanceId: string,
    amount: number,
    leased: number,
    used: number,
  ])[],
];

/**
 * In a settlement that extends its admission, `admitted` is missing, and the used amounts of each part replace the
 * hold.
 */
type RecordData = readonly [
  version: number,
  promptPrivacy: PromptPrivacy,
  admitted: readonly unknown[] | null,
  ended: readonly unknown[],
  hold: HoldData | readonly number[] | null,
];

export function toJournalRecord(
  kind: JournalRecord['kind'],
  record: RequestRecord,
  promptPrivacy: PromptPrivacy,
): JournalRecord {
  const admitted = admittedFields.map((name) => record[name]);
  const hold = record.hold && writeHold(record.hold);
  const { id, prompt, requestBody, response } = record;
  const data: RecordData = [version, promptPrivacy, admitted, writeEnded(record), hold];
  return { kind, id, data, texts: { prompt, response, requestBody } };
}

/**
 * Converts an ended request to a record without the fields of its admission. If the hold's number of parts differs
 * from the admission's, the record is complete.
 */
export function toSettlement(
  record: RequestRecord,
  promptPrivacy: PromptPrivacy,
  admittedPartCount: number,
): JournalRecord {
  const parts = record.hold?.parts ?? [];
  if (parts.length !== admittedPartCount) return toJournalRecord('settled', record, promptPrivacy);
  const used = parts.map((part) => part.used);
  const data: RecordData = [version, promptPrivacy, null, writeEnded(record), used];
  const { id, requestBody, response } = record;
  return { kind: 'settled', id, data, texts: { response, requestBody } };
}

const writeEnded = (record: RequestRecord) => endedFields.map((name) => record[name]);

function writeHold({ nodeId, inputTokens, parts }: RecordedHold): HoldData {
  return [
    nodeId,
    inputTokens,
    parts.map(({ kind, allowanceId, amount, leased, used }) => [kind, allowanceId, amount, leased, used]),
  ];
}

/** Returns whether a settlement extends its admission and cannot be read without it. */
export function addsToAdmission({ data }: JournalRecord): boolean {
  return Array.isArray(data) && data[2] === null;
}

export function joinAdmission(admission: JournalRecord, settlement: JournalRecord): JournalRecord {
  // Safe because `toSettlement` is used only after an admission of this version has been written.
  const [, promptPrivacy, admitted, , hold] = admission.data as RecordData;
  const [, , , ended, used] = settlement.data as RecordData;
  const joined = hold && addUsed(hold as HoldData, used as number[]);
  const data: RecordData = [version, promptPrivacy, admitted, ended, joined];
  return { ...settlement, data, texts: { ...admission.texts, ...settlement.texts } };
}

function addUsed([nodeId, inputTokens, parts]: HoldData, used: readonly number[]): HoldData {
  return [
    nodeId,
    inputTokens,
    parts.map(([kind, allowanceId, amount, leased], index) => [
      kind,
      allowanceId,
      amount,
      leased,
      used[index] ?? 0,
    ]),
  ];
}

export function fromJournalRecord({ data, texts }: JournalRecord): RequestRecord {
  // Safe because the journal returns all texts as strings.
  const { prompt = null, response = null, requestBody = null } = texts as Record<string, string | null>;
  // Safe because only this file writes the data of journal records.
  if (!Array.isArray(data)) return { ...(data as RequestRecord), prompt, response, requestBody };
  const [, promptPrivacy, admitted, ended, hold] = data as unknown as RecordData;
  const record: Record<string, unknown> = { prompt, response, requestBody, promptPrivacy };
  for (const [index, name] of admittedFields.entries()) record[name] = admitted?.[index];
  for (const [index, name] of endedFields.entries()) record[name] = ended[index];
  record.hold = hold && readHold(hold as HoldData);
  return record as unknown as RequestRecord;
}

function readHold([nodeId, inputTokens, parts]: HoldData): RecordedHold {
  return {
    nodeId,
    inputTokens,
    parts: parts.map(([kind, allowanceId, amount, leased, used]) => ({
      kind,
      allowanceId,
      amount,
      leased,
      used,
    })),
  };
}

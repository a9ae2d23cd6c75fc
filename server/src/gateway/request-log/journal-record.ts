import type { JournalRecord } from '../journal/record.ts';
import type { RequestRecord } from './request-record.ts';

/** A request as the journal writes it: the long texts beside the rest. */
export function toJournalRecord(kind: JournalRecord['kind'], record: RequestRecord): JournalRecord {
  const texts: Record<string, string> = {};
  if (record.prompt !== null) texts.prompt = record.prompt;
  if (record.response !== null) texts.response = record.response;
  if (record.requestBody !== null) texts.requestBody = record.requestBody;
  const data = { ...record, prompt: undefined, response: undefined, requestBody: undefined };
  return { kind, id: record.id, data, texts };
}

export function fromJournalRecord({ data, texts }: JournalRecord): RequestRecord {
  const { prompt = null, response = null, requestBody = null } = texts;
  // Safe because only `toJournalRecord` makes what stands in a journal.
  return { ...(data as RequestRecord), prompt, response, requestBody };
}

import type { JournalRecord } from '../journal/record.ts';
import type { RequestRecord } from './request-record.ts';

/** Converts a request to a journal record, with its long texts kept separately. */
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
  // Safe because only `toJournalRecord` writes journal data.
  return { ...(data as RequestRecord), prompt, response, requestBody };
}

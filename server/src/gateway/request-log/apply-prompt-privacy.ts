import type { PromptPrivacy } from '@sluice/contract';
import { redactJson } from '#domain/prompt-privacy/redact-json.ts';
import { redactText } from '#domain/prompt-privacy/redact-text.ts';
import type { RequestRecord } from './request-record.ts';
import { loggedTextBytes } from './truncate-for-log.ts';

/** A record with what its tenant's mode lets be written anywhere; errors count too, since providers echo prompts in them. */
export function applyPromptPrivacy(record: RequestRecord, promptPrivacy: PromptPrivacy): RequestRecord {
  if (promptPrivacy === 'full') return { ...record, promptPrivacy };
  const isRedacted = promptPrivacy === 'redacted';
  const keep = (text: string | null, redact = redactText) =>
    isRedacted && text !== null ? redact(dropCutEnd(text)) : null;
  return {
    ...record,
    promptPrivacy,
    prompt: keep(record.prompt),
    response: keep(record.response),
    requestBody: keep(record.requestBody, redactJson),
    errorMessage: keep(record.errorMessage),
    providerCalls: record.providerCalls?.map((call) => ({ ...call, message: keep(call.message) })) ?? null,
    requestSha256: isRedacted ? record.requestSha256 : null,
  };
}

/** Longer than most that has to be replaced. */
const droppedMin = 64;
const droppedMax = 512;

/** A text that was cut may end within a secret that no rule knows by its half. */
function dropCutEnd(text: string): string {
  if (text.length < loggedTextBytes / 4 || Buffer.byteLength(text) < loggedTextBytes - 4) return text;
  const end = text.slice(-droppedMax, -droppedMin);
  const space = Math.max(end.lastIndexOf(' '), end.lastIndexOf('\n'));
  return text.slice(0, space < 0 ? -droppedMax : space - droppedMax);
}

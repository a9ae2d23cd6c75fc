import type { PromptPrivacy } from '@sluice/contract';
import { redactJson } from '#domain/prompt-privacy/redact-json.ts';
import { redactText } from '#domain/prompt-privacy/redact-text.ts';
import type { RequestRecord } from './request-record.ts';
import { loggedTextBytes } from './truncate-for-log.ts';

/**
 * Removes what the tenant's privacy mode forbids to store; errors count too, since providers repeat prompts in them.
 */
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

/** Longer than most secrets. */
const droppedMin = 64;
const droppedMax = 512;

/** Removes the end of a truncated text, which may be half of a secret that no rule recognizes. */
function dropCutEnd(text: string): string {
  if (text.length < loggedTextBytes / 4 || Buffer.byteLength(text) < loggedTextBytes - 4) return text;
  const end = text.slice(-droppedMax, -droppedMin);
  const space = Math.max(end.lastIndexOf(' '), end.lastIndexOf('\n'));
  return text.slice(0, space < 0 ? -droppedMax : space - droppedMax);
}

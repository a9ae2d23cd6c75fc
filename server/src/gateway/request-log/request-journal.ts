import type { PromptPrivacy } from '@sluice/contract';
import { redactJson } from '#domain/prompt-privacy/redact-json.ts';
import { redactText } from '#domain/prompt-privacy/redact-text.ts';
import type { Clock } from '#platform/clock.ts';
import type { Journal } from '../journal/journal.ts';
import { createRefusalAggregator } from './aggregate-refusals.ts';
import { toJournalRecord, toSettlement } from './journal-record.ts';
import type { RequestRecord } from './request-record.ts';
import { loggedTextBytes } from './truncate-for-log.ts';

/** Includes errors, since providers repeat prompts in them. */
function applyPromptPrivacy(record: RequestRecord, promptPrivacy: PromptPrivacy): RequestRecord {
  if (promptPrivacy === 'full') return record;
  const isRedacted = promptPrivacy === 'redacted';
  const keep = (text: string | null, redact = redactText) =>
    isRedacted && text !== null ? redact(dropCutEnd(text)) : null;
  return {
    ...record,
    prompt: keep(record.prompt),
    response: keep(record.response),
    requestBody: keep(toText(record.requestBody), redactJson),
    errorMessage: keep(record.errorMessage),
    providerCalls: record.providerCalls?.map((call) => ({ ...call, message: keep(call.message) })) ?? null,
    requestSha256: isRedacted ? record.requestSha256 : null,
  };
}

const toText = (body: RequestRecord['requestBody']): string | null => (body === null ? null : String(body));

/** Minimum length of the end to drop, longer than most secrets. */
const droppedMin = 64;
const droppedMax = 512;

/** The end of a truncated text may be half of a secret that no rule recognizes. */
function dropCutEnd(text: string): string {
  if (text.length < loggedTextBytes / 4 || Buffer.byteLength(text) < loggedTextBytes - 4) return text;
  const end = text.slice(-droppedMax, -droppedMin);
  const space = Math.max(end.lastIndexOf(' '), end.lastIndexOf('\n'));
  return text.slice(0, space < 0 ? -droppedMax : space - droppedMax);
}

export interface RequestJournal {
  /**
   * Resolves once the admission is on disk, which is enough for a row if this process is killed. Rejects if the
   * journal is full or cannot be written.
   */
  admit(record: RequestRecord): Promise<void>;
  /** Records how a request ended. Returns immediately, since the shipper reads the record from disk. */
  settle(record: RequestRecord): void;
  /** Waits at most a few seconds for admitted requests to be settled, and writes the aggregated rejections. */
  close(): Promise<void>;
}

/**
 * Maximum wait at shutdown. A request whose caller has just disconnected is settled only once the provider connection
 * is closed.
 */
const settleMs = 5_000;

export interface RequestJournalOptions {
  readonly clock: Clock;
  readonly promptPrivacyOf: (tenantId: number | null) => PromptPrivacy;
  readonly onSettled?: (record: RequestRecord) => void;
}

interface Admission {
  readonly promptPrivacy: PromptPrivacy;
  readonly partCount: number;
}

/** Writes only the texts that the tenant's current privacy mode allows. */
export function createRequestJournal(
  journal: Journal,
  { clock, promptPrivacyOf, onSettled = () => undefined }: RequestJournalOptions,
): RequestJournal {
  const open = new Map<string, Admission>();
  // The journal itself reports a failed write, and the request still gets a row from the admission on disk.
  const write = (record: RequestRecord) => {
    const promptPrivacy = promptPrivacyOf(record.tenantId);
    const kept = applyPromptPrivacy(record, promptPrivacy);
    const admission = journal.isAdmitted(record.id) ? open.get(record.id) : undefined;
    const settlement =
      admission?.promptPrivacy === promptPrivacy
        ? toSettlement(kept, promptPrivacy, admission.partCount)
        : toJournalRecord('settled', kept, promptPrivacy);
    void journal.append(settlement).catch(() => undefined);
    onSettled(record);
  };
  const refusals = createRefusalAggregator(write, clock);
  const timer = setInterval(() => refusals.flush(), 5_000);
  const allSettled = Promise.withResolvers<void>();
  let isClosing = false;
  return {
    admit(record) {
      const promptPrivacy = promptPrivacyOf(record.tenantId);
      const kept = applyPromptPrivacy(record, promptPrivacy);
      open.set(record.id, { promptPrivacy, partCount: record.hold?.parts.length ?? 0 });
      return journal.append(toJournalRecord('admitted', kept, promptPrivacy));
    },
    settle(record) {
      // The bytes of a body belong to a larger buffer, which would otherwise be kept for a minute.
      if (record.status === 'refused') refusals.add({ ...record, requestBody: toText(record.requestBody) });
      else write(record);
      if (open.delete(record.id) && isClosing && open.size === 0) allSettled.resolve();
    },
    async close() {
      isClosing = true;
      const deadline = setTimeout(allSettled.resolve, open.size === 0 ? 0 : settleMs);
      await allSettled.promise;
      clearTimeout(deadline);
      clearInterval(timer);
      refusals.flush(true);
    },
  };
}

import type { PromptPrivacy } from '@sluice/contract';
import type { Clock } from '#platform/clock.ts';
import type { Journal } from '../journal/journal.ts';
import { createRefusalAggregator } from './aggregate-refusals.ts';
import { applyPromptPrivacy } from './apply-prompt-privacy.ts';
import { toJournalRecord } from './journal-record.ts';
import type { RequestRecord } from './request-record.ts';

/** The gateway's side of the crash-safe journal. */
export interface RequestJournal {
  /**
   * Resolves once the admission is on disk, enough for a row if this process dies; rejects if the journal is full or
   * cannot be written.
   */
  admit(record: RequestRecord): Promise<void>;
  /** Records how a request ended. Returns immediately; the shipper reads the record from disk. */
  settle(record: RequestRecord): void;
  /** Waits a few seconds at most until admitted requests are settled, and writes what is held back. */
  close(): Promise<void>;
}

/** A request whose caller has just left is settled only once its provider's connection is closed. */
const settleMs = 5_000;

export interface RequestJournalOptions {
  readonly clock: Clock;
  /** Returns which of a tenant's texts may be written. */
  readonly promptPrivacyOf: (tenantId: number | null) => PromptPrivacy;
  /** Called with each record on its way to the database. */
  readonly onSettled?: (record: RequestRecord) => void;
}

/** Creates a journal that writes only what the tenant's mode allows at that moment. */
export function createRequestJournal(
  journal: Journal,
  { clock, promptPrivacyOf, onSettled = () => undefined }: RequestJournalOptions,
): RequestJournal {
  const append = (kind: 'admitted' | 'settled', record: RequestRecord) =>
    journal.append(toJournalRecord(kind, applyPromptPrivacy(record, promptPrivacyOf(record.tenantId))));
  // The journal itself reports a failed write, and the admission on disk still gives the request its row.
  const write = (record: RequestRecord) => {
    void append('settled', record).catch(() => undefined);
    onSettled(record);
  };
  const refusals = createRefusalAggregator(write, clock);
  const timer = setInterval(() => refusals.flush(), 5_000);
  const open = new Set<string>();
  const allSettled = Promise.withResolvers<void>();
  let isClosing = false;
  return {
    async admit(record) {
      await append('admitted', record);
      open.add(record.id);
    },
    settle(record) {
      if (record.status === 'refused') refusals.add(record);
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

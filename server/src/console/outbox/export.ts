import type { ExportFormat, Mail } from '@sluice/contract';
import { startExport } from '#console/exports/start-export.ts';
import type { Download, SignedInContext } from '#http/console-route.ts';
import { type LinkOpener, toMail } from './list.ts';
import { type MailFilters, selectMails } from './store.ts';

const batchRows = 500;

/** Exports all mails that match the filters, newest first, without links, since a link opens an account. */
export function exportMails(
  keyring: LinkOpener,
  ctx: SignedInContext,
  { format, ...filters }: MailFilters & { format: ExportFormat },
): Promise<Download> {
  return startExport<Mail, number>(ctx, {
    noun: 'outbox',
    format,
    filters: { ...filters },
    columns: {
      id: ({ id }) => id,
      to_address: ({ to_address }) => to_address,
      subject: ({ subject }) => subject,
      status: ({ status }) => status,
      error: ({ error }) => error,
      created_at: ({ created_at }) => created_at,
      sent_at: ({ sent_at }) => sent_at,
    },
    keyOf: ({ id }) => id,
    readBatch: async (tx, olderThan) => {
      const page = { ...filters, skip: 0, limit: batchRows, olderThan };
      const rows = await selectMails(tx, ctx.principal.tenantId, page);
      return rows.map((row) => ({ ...toMail(keyring, ctx.principal, row), link: null }));
    },
  });
}

import { type CsvValue, formatLabels, type LogEntry } from '@sluice/contract';
import { recordPromptListRead } from '#console/audit-log/record-prompt-reads.ts';
import { startExport } from '#console/exports/start-export.ts';
import type { Download, SignedInContext } from '#http/console-route.ts';
import { chooseRows, type LogFilters, withinTime } from './chosen-rows.ts';
import { hasText } from './has-text.ts';
import { toLogEntry } from './read.ts';
import { requireWholeTexts } from './whole-texts.ts';

/** Small, because a whole batch is in memory and its texts can have up to 64 KB each. */
const batchRows = 250;

export function exportLogs(
  ctx: SignedInContext,
  { format, ...filters }: LogFilters & { format: 'csv' | 'jsonl' },
): Promise<Download> {
  const { tenantId } = ctx.principal;
  return startExport<LogEntry, string>(ctx, {
    noun: 'logs',
    format,
    filters,
    columns,
    keyOf: ({ id }) => id,
    readBatch: async (tx, before) => {
      const chosen = await chooseRows(tx, tenantId, filters);
      const page = { before, skip: 0, limit: batchRows, countMax: 0 };
      const rows = await withinTime(tx, async () =>
        requireWholeTexts(await tx.requestLog.selectRows((await tx.requestLog.findPage(chosen, page)).ids)),
      );
      await recordPromptListRead(
        tx,
        rows.filter(hasText).map(({ id }) => id),
      );
      return rows.map(toLogEntry);
    },
  });
}

const plainColumns = Object.fromEntries(
  (
    [
      'id',
      'timestamp',
      'user_id',
      'user_name',
      'user_email',
      'task_id',
      'task_title',
      'model',
      'status',
      'error_code',
      'error_message',
      'http_status',
      'response_time_ms',
      'first_byte_ms',
      'prompt_tokens',
      'completion_tokens',
      'openai_tokens_used',
      'cost',
      'repeats',
      'provider_key',
      'provider_instance_name',
      'api_key_name',
      'client_request_id',
      'intent_classification',
      'confidence_score',
      'corrected_intent',
      'user_score_before',
      'user_score_after',
      'deviation_score_delta',
      'prompt',
      'response',
    ] as const
  ).map((name) => [name, (entry: LogEntry) => entry[name]]),
);

const columns: Readonly<Record<string, (entry: LogEntry) => CsvValue>> = {
  ...plainColumns,
  labels: ({ labels }) => formatLabels(labels),
  provider_calls: ({ provider_calls: calls }) => calls && JSON.stringify(calls),
};

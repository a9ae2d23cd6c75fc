import { setTimeout as pause } from 'node:timers/promises';
import { logStatuses } from '@sluice/contract';
import type { TailRow } from '#request-log/request-log.ts';
import { type Command, type CommandCall, countOption, textOption, UsageError } from '../command.ts';
import { asOperator, type Operator } from '../operator.ts';

const everyMs = 1_000;

export const tailLogs: Command = {
  name: 'logs tail',
  summary: 'Shows the newest rows of the request log and follows it until interrupted',
  details: 'With --json each row is one line of JSON. Prompts and answers are not shown.',
  options: {
    lines: { value: 'N', summary: 'number of rows to start with; default: 20' },
    'no-follow': { summary: 'stops after these rows' },
    user: { value: 'EMAIL', summary: 'only of this user' },
    tenant: { value: 'SLUG', summary: 'only of this tenant' },
    model: { value: 'NAME', summary: 'only of this model' },
    status: { value: 'STATUS', summary: `one of ${logStatuses.join(', ')}` },
  },
  async run(call) {
    const status = textOption(call, 'status');
    if (status && !logStatuses.some((name) => name === status)) {
      throw new UsageError(`--status must be one of ${logStatuses.join(', ')}.`);
    }
    const lines = countOption(call, 'lines', 20);
    await asOperator(call.config, (operator) => follow(operator, call, lines));
    return { json: undefined, text: '' };
  },
};

/** Number of rows that are read each time. Nodes write in batches, so a row may arrive after newer rows. */
const followedRows = 1_000;

async function follow(operator: Operator, call: CommandCall, lines: number): Promise<void> {
  const show = (row: TailRow) => call.line(call.isJson ? JSON.stringify(row) : formatRow(row));
  let known = await selectRows(operator, call, Math.max(lines, followedRows));
  for (const row of known.slice(-lines)) show(row);
  while (!call.options['no-follow']) {
    await pause(everyMs);
    const ids = new Set(known.map(({ id }) => id));
    const rows = await selectRows(operator, call, followedRows);
    for (const row of rows) if (!ids.has(row.id)) show(row);
    known = rows;
  }
}

function selectRows({ requestLog, system }: Operator, call: CommandCall, limit: number): Promise<TailRow[]> {
  const filter = {
    email: textOption(call, 'user'),
    tenantSlug: textOption(call, 'tenant'),
    model: textOption(call, 'model'),
    status: textOption(call, 'status'),
  };
  return requestLog.selectNewest(system, filter, limit);
}

function formatRow(row: TailRow): string {
  const tokens = `${row.prompt_tokens}+${row.completion_tokens} tokens`;
  const parts = [
    row.received_at,
    row.status,
    row.http_status,
    row.email ?? '-',
    row.provider ?? '-',
    row.model ?? '-',
  ];
  return [...parts, tokens, `${Math.round(row.response_time_ms)} ms`, row.error_code ?? '']
    .join('  ')
    .trimEnd();
}

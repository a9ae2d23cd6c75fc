import { setTimeout as pause } from 'node:timers/promises';
import { logStatuses } from '@sluice/contract';
import { sql } from 'drizzle-orm';
import type { SystemDatabase } from '#db/system.ts';
import { type Command, type CommandCall, countOption, textOption, UsageError } from '../command.ts';
import { asOperator } from '../operator.ts';

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
    await asOperator(call.config, ({ system }) => follow(system, call, lines));
    return { json: undefined, text: '' };
  },
};

/** Nodes write in batches, so a row may arrive after others that were received later. */
const followedRows = 1_000;

async function follow(system: SystemDatabase, call: CommandCall, lines: number): Promise<void> {
  const show = (row: LogRow) => call.line(call.isJson ? JSON.stringify(row) : formatRow(row));
  let known = await selectRows(system, call, Math.max(lines, followedRows));
  for (const row of known.slice(-lines)) show(row);
  while (!call.options['no-follow']) {
    await pause(everyMs);
    const ids = new Set(known.map(({ id }) => id));
    const rows = await selectRows(system, call, followedRows);
    for (const row of rows) if (!ids.has(row.id)) show(row);
    known = rows;
  }
}

type LogRow = Awaited<ReturnType<typeof selectRows>>[number];

/** Returns the newest rows, in ascending order. */
async function selectRows(system: SystemDatabase, call: CommandCall, limit: number) {
  const is = (column: ReturnType<typeof sql>, option: string) => {
    const value = textOption(call, option) ?? null;
    return sql`(${value}::text IS NULL OR ${column} = ${value})`;
  };
  const { rows } = await system.execute<{
    id: string;
    received_at: string;
    tenant: string;
    email: string | null;
    provider: string | null;
    model: string | null;
    status: string;
    http_status: number;
    error_code: string | null;
    prompt_tokens: number;
    completion_tokens: number;
    response_time_ms: number;
  }>(sql`SELECT * FROM (
    SELECT l.id, to_json(l.received_at) #>> '{}' AS received_at, t.slug AS tenant, u.email,
      l.provider_instance_name AS provider, coalesce(l.model, l.model_requested) AS model, l.status, l.http_status,
      l.error_code, l.prompt_tokens, l.completion_tokens, l.response_time_ms
    FROM request_logs l JOIN tenants t ON t.id = l.tenant_id LEFT JOIN users u ON u.id = l.user_id
    WHERE ${is(sql`u.email`, 'user')} AND ${is(sql`t.slug`, 'tenant')} AND ${is(sql`l.status`, 'status')}
      AND ${is(sql`coalesce(l.model, l.model_requested)`, 'model')}
    ORDER BY l.id DESC LIMIT ${limit}) newest ORDER BY id`);
  return rows;
}

function formatRow(row: LogRow): string {
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

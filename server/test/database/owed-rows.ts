import { setTimeout as pause } from 'node:timers/promises';
import type { Sandbox } from '@sluice/sandbox';
import pg from 'pg';
import type { CallRecord } from '../load/load.ts';

export interface OwedRows {
  lost: string[];
  doubled: string[];
  interrupted: number;
}

const shipLimitMs = 30_000;

/** Returns the requests for which a caller received response headers or that the provider billed. */
export function knownRequests(calls: readonly CallRecord[], sandbox: Sandbox): Set<string> {
  const known = new Set(calls.flatMap(({ id, status }) => (id !== null && status === 200 ? [id] : [])));
  for (const { requestId } of sandbox.journal.entries()) if (requestId !== null) known.add(requestId);
  return known;
}

/** Waits for the rows of a load's known requests. */
export async function joinRows(
  connectionString: string,
  loadName: string,
  known: ReadonlySet<string>,
): Promise<OwedRows> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const read = async () =>
      (
        await client.query<{ id: string; client_request_id: string; error_code: string | null }>(
          `SELECT id, client_request_id, error_code FROM request_logs WHERE client_request_id LIKE $1`,
          [`${loadName}-%`],
        )
      ).rows;
    const missing = (rows: { id: string }[]) => [...known.difference(new Set(rows.map(({ id }) => id)))];
    let rows = await read();
    for (
      const endsAtMs = performance.now() + shipLimitMs;
      performance.now() < endsAtMs;
      rows = await read()
    ) {
      if (missing(rows).length === 0) break;
      await pause(100);
    }
    const names = rows.map((row) => row.client_request_id);
    return {
      lost: missing(rows),
      doubled: names.filter((one, index) => names.indexOf(one) !== index),
      interrupted: rows.filter((row) => row.error_code === 'interrupted').length,
    };
  } finally {
    await client.end();
  }
}

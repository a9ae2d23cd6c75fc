import type { PromptRead } from '@sluice/contract';
import { sql } from 'drizzle-orm';
import type { LogTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';

interface ReadsPage {
  /** Only returns reads with a lower id. */
  readonly before?: number | undefined;
  readonly skip: number;
  readonly limit: number;
}

export async function listPromptReads(
  tx: LogTransaction,
  _author: Principal,
  page: ReadsPage,
): Promise<PromptRead[]> {
  return (await selectPromptReads(tx, page)).map(({ readAt, ...read }) => ({
    ...read,
    read_at: new Date(readAt).toISOString(),
  }));
}

interface PromptReadRow extends Record<string, unknown> {
  readonly id: number;
  readonly readAt: string;
  readonly reader_name: string | null;
  readonly action: string | null;
  readonly is_list: boolean;
  readonly request_ids: string[];
}

/** Row-level security restricts the rows to the transaction's user. */
async function selectPromptReads(
  tx: LogTransaction,
  { before, skip, limit }: ReadsPage,
): Promise<PromptReadRow[]> {
  await tx.requestLog.noteOwners(async () => {
    const { rows } = await tx.execute<{ id: string }>(
      sql`SELECT id FROM list_read_requests(${before ?? null}, ${skip}, ${limit}) id`,
    );
    return rows.map(({ id }) => id);
  });
  const { rows } = await tx.execute<PromptReadRow>(
    sql`SELECT id::float8 AS id, read_at AS "readAt", reader_name, action, is_list, request_ids
      FROM find_prompt_reads(${before ?? null}, ${skip}, ${limit})`,
  );
  return rows;
}

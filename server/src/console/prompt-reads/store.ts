import { sql } from 'drizzle-orm';
import type { TenantTransaction } from '#db/tenant.ts';

interface PromptReadRow extends Record<string, unknown> {
  readonly id: number;
  readonly readAt: string;
  readonly reader_name: string | null;
  readonly action: string | null;
  readonly is_list: boolean;
  readonly request_ids: string[];
}

/** Row-level security takes the user from the transaction. */
export async function selectPromptReads(
  tx: TenantTransaction,
  { skip, limit }: { skip: number; limit: number },
): Promise<PromptReadRow[]> {
  const { rows } = await tx.execute<PromptReadRow>(
    sql`SELECT id::float8 AS id, read_at AS "readAt", reader_name, action, is_list, request_ids
      FROM find_prompt_reads(${skip}, ${limit})`,
  );
  return rows;
}

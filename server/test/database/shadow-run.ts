import type { ShadowDifference } from '@sluice/contract';
import pg from 'pg';

export interface ShadowRow {
  readonly requested_at?: string;
  readonly user_id?: number | null;
  readonly path?: string;
  readonly model_requested?: string;
  readonly error_code?: string | null;
  readonly message?: string | null;
  readonly llm_provider_id?: number | null;
  readonly model?: string | null;
  readonly intent?: string | null;
  readonly score_after?: number | null;
  readonly input_tokens?: number | null;
  readonly output_tokens?: number | null;
  readonly cost_nano_usd?: number | null;
  readonly other_outcome?: 'served' | 'refused' | 'failed' | null;
  readonly other_request_id?: string | null;
  readonly other_model?: string | null;
  readonly other_cost_nano_usd?: number | null;
  readonly difference?: ShadowDifference;
}

export interface NewShadowRun {
  readonly tenantId: number;
  readonly name?: string;
  readonly source?: 'file' | 'mirror' | 'log';
  readonly comparedWith?: string | null;
  readonly startedAt?: string;
  /** Whether the run has no end time, like the run of a command in progress. */
  readonly isRunning?: true;
}

export const connectTo = (databaseUrl: string) => new pg.Pool({ connectionString: databaseUrl, max: 1 });

/** Returns the id of the run. */
export async function addShadowRun(
  database: Pick<pg.Pool, 'query'>,
  { tenantId, name = 'A run', source = 'file', comparedWith = null, startedAt, isRunning }: NewShadowRun,
  rows: readonly ShadowRow[],
): Promise<number> {
  const added = await database.query<{ id: number }>(
    `INSERT INTO shadow_runs (tenant_id, name, source, compared_with, started_at)
     VALUES ($1, $2, $3, $4, coalesce($5::timestamptz, now())) RETURNING id`,
    [tenantId, name, source, comparedWith, startedAt ?? null],
  );
  const runId = added.rows[0]?.id ?? 0;
  await database.query(
    `INSERT INTO shadow_requests
     SELECT filled.* FROM jsonb_array_elements($1::jsonb) given, jsonb_populate_record(NULL::shadow_requests, given) filled`,
    [
      JSON.stringify(
        rows.map((row, index) => ({
          tenant_id: tenantId,
          run_id: runId,
          position: index + 1,
          requested_at: '2026-11-02T09:00:00Z',
          path: '/v1/chat/completions',
          model_requested: 'gpt-4.1',
          difference: 'none',
          ...row,
        })),
      ),
    ],
  );
  if (!isRunning) await database.query('UPDATE shadow_runs SET ended_at = now() WHERE id = $1', [runId]);
  return runId;
}

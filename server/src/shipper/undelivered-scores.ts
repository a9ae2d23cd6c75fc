import type pg from 'pg';
import type { RequestRecord } from '#gateway/request-log/request-record.ts';
import { toScoreColumns } from './fold-scores.ts';
import type { LogRow } from './log-columns.ts';

/**
 * Returns rows of requests that were booked before, with the scores of the last batch that was booked for ClickHouse; `null`
 * if the journal was never shipped there.
 */
export async function addScores(
  pool: pg.Pool,
  journal: string,
  records: readonly RequestRecord[],
): Promise<LogRow[] | null> {
  const { rows } = await pool.query<{ scores: Readonly<Record<string, LogRow['score']>> }>(selectScores, [
    journal,
  ]);
  const scores = rows[0]?.scores;
  if (!scores) return null;
  return records.map((record) => ({ record, score: scores[record.id] ?? toScoreColumns(undefined) }));
}

const selectScores = 'SELECT scores FROM undelivered_scores WHERE journal = $1';

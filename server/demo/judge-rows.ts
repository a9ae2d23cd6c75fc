import { readFileSync } from 'node:fs';
import type { taskCategories } from '@sluice/contract';
import type pg from 'pg';
import { judgePrompt, readJudgedTask } from '#domain/deviation/judge-prompt.ts';
import type { ScoredRequest } from '#gateway/deviation/scoreboard.ts';
import { classify } from '#intent/classify.ts';
import { loadModel } from '#intent/model.ts';
import { foldScores, lockUsers, toScoreColumns, writeScores } from '#shipper/fold-scores.ts';
import { choosePrompt, offTopicShareOf } from './prompts.ts';

type Connection = pg.Client | pg.PoolClient;

const batchRows = 20_000;

/**
 * Writes the prompts of `demo_day` to `demo_texts`, and sets intents and scores like the product, with the product's
 * classifier and from each user's last stored score. Days must be judged in order.
 */
export async function judgeRows(client: Connection): Promise<void> {
  await client.query('TRUNCATE demo_texts');
  let last = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const { rows } = await client.query<DraftRow>(selectDrafts, [last, batchRows]);
    last = rows.at(-1)?.id ?? last;
    await judgeBatch(client, rows.map(judgeRow));
    if (rows.length < batchRows) return;
  }
}

type JudgedRow = ReturnType<typeof judgeRow>;

async function judgeBatch(client: Connection, rows: readonly JudgedRow[]): Promise<void> {
  const records = rows.map(({ record }) => record);
  const { users, changes } = foldScores(await lockUsers(client, records), records);
  await writeScores(client, users);
  const scores = rows.map(({ record }) => toScoreColumns(changes.get(record.id)));
  await client.query(updateDrafts, [
    rows.map(({ record }) => record.id),
    rows.map(({ intent }) => intent),
    rows.map(({ confidence }) => confidence),
    scores.map((score) => score.user_score_before),
    scores.map((score) => score.user_score_after),
    scores.map((score) => score.deviation_score_delta),
    scores.map(({ deviation_receipts: receipts }) => receipts && JSON.stringify(receipts)),
  ]);
  await client.query('INSERT INTO demo_texts SELECT * FROM unnest($1::uuid[], $2::text[])', [
    rows.map(({ record }) => record.id),
    rows.map(({ prompt }) => prompt),
  ]);
}

const model = loadModel(readFileSync(new URL('../src/intent/model.bin', import.meta.url)));

/** Requests for a blacklisted model are rejected before their prompt is classified. */
function judgeRow({ place, category, title, description, is_api_access: isApiAccess, ...row }: DraftRow) {
  const offTopicShare = offTopicShareOf(place, row.receivedAtMs);
  const prompt = choosePrompt({ id: row.id, category, offTopicShare });
  const isJudged = row.errorCode !== 'model_blacklisted';
  const { intent, confidence } = classify(prompt, model);
  const task = readJudgedTask({ category, title, description, isApiAccess });
  const signals = isJudged ? judgePrompt(prompt, { intent, confidence }, task) : null;
  const record: ScoredRequest = { ...row, signals };
  return {
    record,
    prompt,
    intent: isJudged ? intent : null,
    confidence: isJudged ? confidence : null,
  };
}

interface DraftRow extends Omit<ScoredRequest, 'signals' | 'asked'> {
  readonly place: number;
  readonly category: (typeof taskCategories)[number];
  readonly title: string;
  readonly description: string;
  readonly is_api_access: boolean;
}

const selectDrafts = `SELECT draft.id, draft.tenant_id AS "tenantId", draft.user_id AS "userId", status, http_status AS "httpStatus",
    error_code AS "errorCode", repeats, (extract(epoch FROM received_at) * 1000)::float8 AS "receivedAtMs",
    person.place, category, title, description, is_dummy_task AS is_api_access
  FROM demo_day draft JOIN demo_people person USING (user_id) JOIN tasks ON tasks.id = draft.task_id
  WHERE draft.id > $1::uuid ORDER BY draft.id LIMIT $2`;

const updateDrafts = `UPDATE demo_day SET intent_classification = judged.intent, confidence_score = judged.confidence,
    user_score_before = judged.before, user_score_after = judged.after, deviation_score_delta = judged.delta,
    deviation_receipts = judged.receipts
  FROM unnest($1::uuid[], $2::text[], $3::real[], $4::float8[], $5::float8[], $6::float8[], $7::jsonb[])
    judged (id, intent, confidence, before, after, delta, receipts)
  WHERE demo_day.id = judged.id`;

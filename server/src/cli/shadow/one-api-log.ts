import { DatabaseSync } from 'node:sqlite';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { withSourceDatabase } from '../import/source-database.ts';
import type { OtherLog, OtherRequest } from './other-log.ts';
import { toUsage, usdMax } from './other-log.ts';

/** Row of the table `logs`. Type 2 is a served request. New API also has type 5 for failed requests. */
const row = z.object({
  id: z.coerce.number(),
  created_at: z.coerce.number(),
  type: z.coerce.number(),
  token_name: z.string().nullish(),
  model_name: z.string().nullish(),
  quota: z.coerce.number(),
  prompt_tokens: z.coerce.number(),
  completion_tokens: z.coerce.number(),
});

const served = 2;
const failed = 5;
/** One dollar is 500,000 units. */
const nanoUsdPerUnit = 2_000;
const quotaMax = usdMax * 500_000;

export function openOneApiLog(database: string): OtherLog {
  const isUrl = /^postgres(ql)?:\/\//i.test(database);
  const select = isUrl ? selectFromUrl : selectFromFile;
  return {
    name: isUrl ? `One API, ${new URL(database).host}${new URL(database).pathname}` : `One API, ${database}`,
    async read(fromMs, toMs) {
      const rows = await select(database, Math.floor(fromMs / 1000), Math.ceil(toMs / 1000));
      return z.array(row).parse(rows).map(toRequest);
    },
    // One API logs neither keys nor texts.
    readWithBodies: null,
  };
}

const selectFromUrl = (url: string, from: number, to: number): Promise<unknown[]> =>
  withSourceDatabase(url, 'the other gateway', async (database) => {
    const { rows } = await database.execute(
      sql`SELECT id, created_at, type, token_name, model_name, quota, prompt_tokens, completion_tokens FROM logs
        WHERE type IN (${served}, ${failed}) AND created_at BETWEEN ${from} AND ${to} ORDER BY created_at, id`,
    );
    return rows;
  });

async function selectFromFile(path: string, from: number, to: number): Promise<unknown[]> {
  const file = new DatabaseSync(path, { readOnly: true });
  try {
    return file
      .prepare(
        `SELECT id, created_at, type, token_name, model_name, quota, prompt_tokens, completion_tokens FROM logs
         WHERE type IN (?, ?) AND created_at BETWEEN ? AND ? ORDER BY created_at, id`,
      )
      .all(served, failed, from, to);
  } finally {
    file.close();
  }
}

function toRequest(one: z.output<typeof row>): OtherRequest {
  const isServed = one.type === served;
  const model = one.model_name ?? '';
  return {
    requestId: String(one.id),
    atMs: one.created_at * 1000,
    keyDigest: null,
    keyName: one.token_name ?? null,
    modelRequested: model,
    model,
    outcome: isServed ? 'served' : 'failed',
    costNanoUsd: isServed
      ? BigInt(Math.round(Math.min(Math.max(one.quota, 0), quotaMax) * nanoUsdPerUnit))
      : null,
    usage: isServed
      ? toUsage({ input: one.prompt_tokens, cached: 0, written: 0, output: one.completion_tokens })
      : null,
  };
}

import { createReadStream, existsSync } from 'node:fs';
import { toNanoUsd } from '@sluice/contract';
import { z } from 'zod';
import { UsageError } from '../command.ts';
import { requireNoMysql } from '../import/one-api/read-database.ts';
import { readJsonLines } from './json-lines.ts';
import { openLitellmDatabase, openLitellmUrl } from './litellm-log.ts';
import { openOneApiLog } from './one-api-log.ts';
import { type OtherLog, type OtherRequest, tokensMax, toUsage, usdMax } from './other-log.ts';

/**
 * Opens the log of another gateway: the database of LiteLLM, One API or New API, a running LiteLLM, or a file of JSON
 * lines.
 */
export async function openOtherLog(against: string, key: string | undefined): Promise<OtherLog> {
  if (/^https?:\/\//i.test(against)) {
    if (key === undefined) throw new UsageError('--key is missing: the master key of LiteLLM.');
    return openLitellmUrl(against, key);
  }
  if (/^postgres(ql)?:\/\//i.test(against))
    return (await openLitellmDatabase(against)) ?? openOneApiLog(against);
  requireNoMysql(against);
  // The message must not contain the URL, which may include a password.
  if (against.includes('://'))
    throw new UsageError('--against must be a file or a URL with postgresql:// or https://.');
  if (!existsSync(against))
    throw new UsageError(`--against must be a URL or a file, and there is no file ${against}.`);
  return /\.(db|sqlite3?)$/i.test(against) ? openOneApiLog(against) : readLines(against);
}

const tokens = z.number().int().min(0).max(tokensMax);

const line = z.object({
  time: z.iso.datetime({ offset: true }),
  request_id: z.string().max(200),
  key_sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  key_name: z.string().optional(),
  model: z.string(),
  served_model: z.string().optional(),
  outcome: z.enum(['served', 'refused', 'failed']),
  cost_usd: z.number().min(0).max(usdMax).optional(),
  input_tokens: tokens.optional(),
  cached_tokens: tokens.optional(),
  output_tokens: tokens.optional(),
});

async function readLines(path: string): Promise<OtherLog> {
  const requests: OtherRequest[] = [];
  for await (const row of readJsonLines(createReadStream(path), line, path)) requests.push(toRequest(row));
  requests.sort((one, other) => one.atMs - other.atMs);
  return {
    name: path,
    read: async (fromMs, toMs) => requests.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs),
    readWithBodies: null,
  };
}

function toRequest(row: z.output<typeof line>): OtherRequest {
  const { input_tokens: input, cached_tokens: cached = 0, output_tokens: output = 0 } = row;
  return {
    requestId: row.request_id,
    atMs: Date.parse(row.time),
    keyDigest: row.key_sha256 ?? null,
    keyName: row.key_name ?? null,
    modelRequested: row.model,
    model: row.served_model ?? row.model,
    outcome: row.outcome,
    costNanoUsd: row.cost_usd === undefined ? null : toNanoUsd(row.cost_usd),
    usage: input === undefined ? null : toUsage({ input, cached, written: 0, output }),
  };
}

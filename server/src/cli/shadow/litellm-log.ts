import { toNanoUsd } from '@sluice/contract';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { createGet } from '../import/litellm/read-url.ts';
import { type SourceDatabase, withSourceDatabase } from '../import/source-database.ts';
import type { LoggedRequest, OtherLog, OtherRequest } from './other-log.ts';
import { toUsage, usdMax } from './other-log.ts';

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');
const count = z
  .number()
  .nullish()
  .transform((value) => value ?? 0);
/** LiteLLM's API returns JSON columns as text. */
const json = z.unknown().transform((value) => (typeof value === 'string' ? parseOr(value, null) : value));

const details = z.looseObject({
  usage_object: z
    .looseObject({
      prompt_tokens_details: z.looseObject({ cached_tokens: count }).nullish(),
      cache_creation_input_tokens: count,
    })
    .nullish(),
  error_information: z.looseObject({ error_code: text, llm_provider: text }).nullish(),
});

const row = z.object({
  request_id: z.string(),
  call_type: text,
  api_key: text,
  spend: count,
  prompt_tokens: count,
  completion_tokens: count,
  startTime: z.coerce.date(),
  model: text,
  model_group: text,
  status: text,
  metadata: json,
  messages: json.optional(),
  proxy_server_request: json.optional(),
});

type Row = z.output<typeof row>;

function parseOr<Other>(value: string, otherwise: Other): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return otherwise;
  }
}

const pageRows = 1_000;
const selected = sql.raw(
  'request_id, call_type, api_key, spend, prompt_tokens, completion_tokens, "startTime", model, model_group, status, metadata',
);
const bodyColumns = sql.raw(', messages, proxy_server_request');

/** Returns `null` if the database has no `LiteLLM_SpendLogs` table. */
export async function openLitellmDatabase(url: string): Promise<OtherLog | null> {
  const inDatabase = <Result>(read: (database: SourceDatabase) => Promise<Result>) =>
    withSourceDatabase(url, 'the other gateway', read);
  const hasSpendLogs = await inDatabase(async (database) => {
    const { rows } = await database.execute<{ name: string | null }>(
      sql`SELECT to_regclass('"LiteLLM_SpendLogs"')::text AS name`,
    );
    return rows[0]?.name !== null;
  });
  if (!hasSpendLogs) return null;
  const readPages = async function* (fromMs: number, toMs: number, withBodies: boolean) {
    const [from, to] = [fromMs, toMs].map((ms) => new Date(ms).toISOString());
    let after = { atMs: fromMs, id: '' };
    while (true) {
      const { rows } = await inDatabase((database) =>
        database.execute(sql`SELECT ${selected}${withBodies ? bodyColumns : sql``} FROM "LiteLLM_SpendLogs"
          WHERE "startTime" >= ${from}::timestamp AND "startTime" <= ${to}::timestamp
            AND ("startTime", request_id) > (${new Date(after.atMs).toISOString()}::timestamp, ${after.id})
          ORDER BY "startTime", request_id LIMIT ${pageRows}`),
      );
      const page = rows.map((one) => row.parse(withUtc(one)));
      yield page;
      const last = page.at(-1);
      if (!last || page.length < pageRows) return;
      after = { atMs: last.startTime.getTime(), id: last.request_id };
    }
  };
  return {
    name: `LiteLLM, ${new URL(url).host}${new URL(url).pathname}`,
    async read(fromMs, toMs) {
      const requests: OtherRequest[] = [];
      for await (const page of readPages(fromMs, toMs, false)) requests.push(...page.map(toRequest));
      return requests;
    },
    async *readWithBodies(fromMs, toMs) {
      for await (const page of readPages(fromMs, toMs, true)) yield page.flatMap(toLogged);
    },
  };
}

/**
 * Adds the UTC zone, since LiteLLM stores times in UTC without a zone and the driver would read them in the zone of
 * this process.
 */
const withUtc = (one: Record<string, unknown>) => ({
  ...one,
  startTime: typeof one.startTime === 'string' ? `${one.startTime.replace(' ', 'T')}Z` : one.startTime,
});

const page = z.object({ data: z.array(row), total_pages: count });
/** Rows per call. Older versions of LiteLLM return at most 100. */
const callRows = 100;

/** Opens the spend logs of a running LiteLLM, whose API returns no texts. */
export function openLitellmUrl(url: string, key: string): OtherLog {
  const get = createGet(url, key, '--against');
  return {
    name: `LiteLLM, ${new URL(url).host}`,
    async read(fromMs, toMs) {
      const requests: OtherRequest[] = [];
      for (let number = 1; ; number++) {
        const [from, to] = [Math.floor(fromMs / 1000), Math.ceil(toMs / 1000)].map(formatSecond);
        const query = new URLSearchParams({
          start_date: from ?? '',
          end_date: to ?? '',
          page: String(number),
          page_size: String(callRows),
        });
        const { data, total_pages } = page.parse(await get(`/spend/logs/v2?${query}`));
        requests.push(...data.map(toRequest));
        if (data.length === 0 || number >= total_pages) break;
      }
      return requests.toSorted((one, other) => one.atMs - other.atMs);
    },
    readWithBodies: null,
  };
}

const formatSecond = (seconds: number) =>
  new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');

function toRequest(one: Row): OtherRequest {
  const { data } = details.safeParse(one.metadata ?? {});
  const cached = data?.usage_object?.prompt_tokens_details?.cached_tokens ?? 0;
  const written = data?.usage_object?.cache_creation_input_tokens ?? 0;
  const outcome = findOutcome(one, data?.error_information ?? null);
  return {
    requestId: one.request_id,
    atMs: one.startTime.getTime(),
    keyDigest: /^[0-9a-f]{64}$/.test(one.api_key) ? one.api_key : null,
    keyName: null,
    modelRequested: one.model_group || one.model,
    model: one.model,
    outcome,
    costNanoUsd: outcome === 'served' ? toNanoUsd(Math.min(Math.max(one.spend, 0), usdMax)) : null,
    usage:
      one.prompt_tokens + one.completion_tokens === 0
        ? null
        : toUsage({ input: one.prompt_tokens, cached, written, output: one.completion_tokens }),
  };
}

/**
 * Returns the outcome of a request. A failure is a refusal if LiteLLM rejected the request before calling a provider.
 */
function findOutcome(
  { status }: Row,
  error: { readonly error_code: string; readonly llm_provider: string } | null,
): OtherRequest['outcome'] {
  if (status !== 'failure') return 'served';
  return error?.error_code.startsWith('4') && error.llm_provider === '' ? 'refused' : 'failed';
}

const paths: Readonly<Record<string, string>> = {
  completion: '/v1/chat/completions',
  acompletion: '/v1/chat/completions',
  embedding: '/v1/embeddings',
  aembedding: '/v1/embeddings',
  responses: '/v1/responses',
  aresponses: '/v1/responses',
  anthropic_messages: '/v1/messages',
};

function toLogged(one: Row): LoggedRequest[] {
  const path = Object.hasOwn(paths, one.call_type) ? paths[one.call_type] : undefined;
  if (path === undefined) return [];
  return [{ ...toRequest(one), path, body: findBody(one, path) }];
}

/** Returns the request body. LiteLLM stores texts only with its setting `store_prompts_in_spend_logs`. */
function findBody({ messages, model, model_group, proxy_server_request: whole }: Row, path: string): unknown {
  const named = { model: model_group || model };
  if (isObject(whole) && ('messages' in whole || 'input' in whole)) return { ...whole, ...named };
  if (path !== '/v1/chat/completions' || !Array.isArray(messages) || messages.length === 0) return null;
  return { ...named, messages };
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

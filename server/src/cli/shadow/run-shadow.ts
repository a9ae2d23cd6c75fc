import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type ShadowSource, shadowRequestsMax } from '@sluice/contract';
import { z } from 'zod';
import { isForeignApiKey } from '#domain/api-key.ts';
import { createJudge, type Verdict } from '#gateway/shadow/judge.ts';
import { MemoryAllowances } from '#gateway/shadow/memory-allowances.ts';
import { createKeyOpener } from '#gateway/snapshot/key-opener.ts';
import { createPrincipals } from '#gateway/snapshot/principals.ts';
import { createSnapshot } from '#gateway/snapshot/snapshot.ts';
import { createTokenCounter } from '#gateway/token-count/token-counter.ts';
import { loadModel } from '#intent/model.ts';
import { createLogger } from '#platform/logger.ts';
import type { CommandCall } from '../command.ts';
import type { Operator } from '../operator.ts';
import { createEntryReader, createMatcher, findDifference, logPeriodOf } from './compare.ts';
import type { OtherLog, OtherRequest } from './other-log.ts';
import type { RecordedRequest } from './requests-file.ts';
import { endRun, insertRequests, insertRun, readAllowances, type ShadowRow } from './store.ts';

/** A batch of requests, in order, with their entries in the other log if these are known. */
export interface ShadowBatch {
  readonly requests: readonly (RecordedRequest & { readonly other?: OtherRequest })[];
}

export interface ShadowRunOptions {
  readonly tenantId: number;
  readonly name: string;
  readonly source: ShadowSource;
  readonly log: OtherLog;
}

/** Sums of a run, for the operator. */
export interface ShadowRunTotals {
  readonly runId: number;
  readonly requests: number;
  readonly differences: Readonly<Record<string, number>>;
  readonly refusals: Readonly<Record<string, number>>;
  readonly costNanoUsd: bigint;
  readonly otherCostNanoUsd: bigint;
  /** Requests to endpoints other than completions and embeddings. */
  readonly skipped: number;
  /** Whether the run ended at its maximum number of requests. */
  readonly isFull: boolean;
}

/** How often a mirror applies changes of the configuration. */
const reloadMs = 60_000;
/** Placeholder, since no provider is called. */
const sandboxOrigin = 'http://127.0.0.1';

/** Judges batches of requests, compares each with the other gateway's log, and stores the result. */
export async function runShadow(
  operator: Operator,
  call: CommandCall,
  options: ShadowRunOptions,
  batches: AsyncIterable<ShadowBatch>,
): Promise<ShadowRunTotals> {
  const { tenantId, ...run } = options;
  const { judge, nameOfKey, snapshot } = await openJudge(operator, call, options);
  const comparedWith = run.log.name;
  const runId = await operator.asSystem('runShadow', (tx) =>
    insertRun(tx, { ...run, tenantId, comparedWith }),
  );
  const sums = new RunTotals(runId);
  const match = createMatcher();
  const readEntries = createEntryReader(run.log, { isGrowing: run.source === 'mirror' });
  let loadedAtMs = Date.now();
  try {
    for await (const { requests } of batches) {
      if (run.source === 'mirror' && Date.now() - loadedAtMs > reloadMs) {
        await snapshot.load();
        loadedAtMs = Date.now();
      }
      const find = await matchBatch(requests, readEntries, match, nameOfKey);
      const rows: ShadowRow[] = [];
      for (const request of requests) {
        if (sums.isFull) break;
        const other = find(request);
        const verdict = await judge({ ...request, usage: other?.usage ?? null });
        if (verdict) rows.push(sums.add(request, verdict, other));
        else sums.skip();
      }
      await insertRequests(operator.system, { runId, tenantId }, rows);
      call.note(`${sums.count.toLocaleString('en-US')} ${sums.count === 1 ? 'request' : 'requests'} judged`);
      if (sums.isFull) break;
    }
  } finally {
    await operator.asSystem('runShadow', (tx) => endRun(tx, runId));
  }
  return sums.list();
}

async function openJudge(operator: Operator, call: CommandCall, { source, tenantId }: ShadowRunOptions) {
  const log = createLogger('error');
  const keyring = await operator.openKeyring();
  const snapshot = createSnapshot(operator.pool, createKeyOpener(keyring, log));
  await snapshot.load();
  const clock = { nowMs: Date.now() };
  const missingKeys = { read: async () => undefined };
  const continues = source === 'mirror';
  const principals = createPrincipals(snapshot, keyring, () => clock.nowMs, missingKeys);
  const nameOfKey = (digest: string) => {
    const credential = principals.ofForeignDigest(digest)?.credential;
    return credential?.kind === 'api_key' ? credential.name : null;
  };
  const judge = createJudge({
    tenantId,
    snapshot,
    principals,
    allowances: new MemoryAllowances(await readAllowances(operator.system, tenantId, continues)),
    intentModel: loadModel(await readFile(new URL('../../intent/model.bin', import.meta.url))),
    tokenCounter: createTokenCounter(log),
    bodyLimitBytes: call.config.http.bodyLimitBytes,
    sandboxOrigin,
    continuesScores: continues,
    clock,
  });
  return { judge, nameOfKey, snapshot };
}

/** Reads the part of the other log in which a batch may be. */
async function matchBatch(
  requests: ShadowBatch['requests'],
  readEntries: ReturnType<typeof createEntryReader>,
  match: ReturnType<typeof createMatcher>,
  nameOfKey: (digest: string) => string | null,
) {
  const unmatched = requests.filter(({ other }) => !other).map(({ receivedAtMs }) => receivedAtMs);
  if (unmatched.length === 0) return ({ other }: ShadowBatch['requests'][number]) => other ?? null;
  const find = match(await readEntries(logPeriodOf(Math.min(...unmatched), Math.max(...unmatched))));
  return (request: ShadowBatch['requests'][number]): OtherRequest | null => {
    if (request.other) return request.other;
    const { keyDigest, receivedAtMs: atMs, requestId } = request;
    const digest = keyDigest ?? digestOfHeaders(request);
    const keyName = digest === null ? null : nameOfKey(digest);
    return find({ requestId, atMs, keyDigest: digest, keyName, model: readModel(request) });
  };
}

function digestOfHeaders({ headers }: RecordedRequest): string | null {
  const values = [headers.authorization, headers['x-api-key'], headers['api-key'], headers['x-goog-api-key']];
  const key = values
    .flat()
    .find((value) => value !== undefined)
    ?.replace(/^Bearer +/i, '')
    .trim();
  return key && isForeignApiKey(key) ? createHash('sha256').update(key).digest('hex') : null;
}

const requestBody = z.looseObject({ model: z.string() });

/** Returns the model that a request names, in its body or, by Google's protocol, in its path. */
function readModel({ body, path }: RecordedRequest): string {
  const inPath = /\/models\/([^?]+):\w+(?:\?|$)/.exec(path)?.[1];
  try {
    if (inPath !== undefined) return decodeURIComponent(inPath);
    return requestBody.parse(JSON.parse(body.toString())).model;
  } catch {
    return '';
  }
}

class RunTotals {
  readonly #runId: number;
  readonly #differences = new Map<string, number>();
  readonly #refusals = new Map<string, number>();
  #costNanoUsd = 0n;
  #otherCostNanoUsd = 0n;
  #skipped = 0;
  count = 0;

  constructor(runId: number) {
    this.#runId = runId;
  }

  get isFull(): boolean {
    return this.count >= shadowRequestsMax;
  }

  skip(): void {
    this.#skipped++;
  }

  /** Counts a verdict and returns its row. */
  add(request: RecordedRequest, verdict: Verdict, other: OtherRequest | null): ShadowRow {
    const row = toRow(++this.count, request, verdict, other);
    increment(this.#differences, row.difference);
    if (row.errorCode !== null) increment(this.#refusals, row.errorCode);
    if (row.costNanoUsd !== null && row.otherCostNanoUsd !== null) {
      this.#costNanoUsd += row.costNanoUsd;
      this.#otherCostNanoUsd += row.otherCostNanoUsd;
    }
    return row;
  }

  list(): ShadowRunTotals {
    return {
      runId: this.#runId,
      requests: this.count,
      differences: Object.fromEntries(this.#differences),
      refusals: Object.fromEntries(this.#refusals),
      costNanoUsd: this.#costNanoUsd,
      otherCostNanoUsd: this.#otherCostNanoUsd,
      skipped: this.#skipped,
      isFull: this.isFull,
    };
  }
}

const increment = (counts: Map<string, number>, name: string) =>
  counts.set(name, (counts.get(name) ?? 0) + 1);

function toRow(
  position: number,
  { path, receivedAtMs }: RecordedRequest,
  verdict: Verdict,
  other: OtherRequest | null,
): ShadowRow {
  const isServed = verdict.errorCode === null;
  const costNanoUsd = isServed && verdict.costNanoUsd !== null ? BigInt(verdict.costNanoUsd) : null;
  const { usage } = verdict;
  return {
    position,
    requestedAt: new Date(receivedAtMs),
    userId: verdict.userId,
    apiKeyId: verdict.apiKeyId,
    path: storable(path.replace(/\?.*/, ''), 200),
    modelRequested: storable(verdict.modelRequested ?? other?.modelRequested ?? '', 200),
    errorCode: verdict.errorCode,
    message: verdict.errorMessage && storable(verdict.errorMessage, 1_000),
    llmProviderId: verdict.llmProviderId,
    model: isServed ? verdict.model : null,
    intent: verdict.intent,
    scoreAfter: verdict.scoreAfter,
    inputTokens: usage && usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens,
    outputTokens: usage?.outputTokens ?? null,
    costNanoUsd,
    otherOutcome: other?.outcome ?? null,
    otherRequestId: other && storable(other.requestId, 200),
    otherModel: other && storable(other.model, 200),
    otherCostNanoUsd: other?.costNanoUsd ?? null,
    difference: findDifference({ isServed, model: verdict.model, costNanoUsd }, other),
  };
}

/** PostgreSQL cannot store NUL, nor UTF-8 lone surrogates. */
const storable = (text: string, lengthMax: number) =>
  text.slice(0, lengthMax).replaceAll('\0', '').toWellFormed();

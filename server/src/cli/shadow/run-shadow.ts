import { readFile } from 'node:fs/promises';
import { type ShadowSource, type ShadowSummary, shadowRequestsMax } from '@sluice/contract';
import { z } from 'zod';
import { getShadowRun } from '#console/shadow-runs/read.ts';
import { digestKey, isForeignApiKey } from '#domain/api-key.ts';
import { readCredential } from '#gateway/pipeline/authenticate.ts';
import { createJudge, type Verdict } from '#gateway/shadow/judge.ts';
import { MemoryAllowances } from '#gateway/shadow/memory-allowances.ts';
import { createKeyOpener } from '#gateway/snapshot/key-opener.ts';
import { createPrincipals } from '#gateway/snapshot/principals.ts';
import { createSnapshot } from '#gateway/snapshot/snapshot.ts';
import { createTokenCounter } from '#gateway/token-count/token-counter.ts';
import { loadModel } from '#intent/model.ts';
import { createLogger } from '#platform/logger.ts';
import { sumInputTokens } from '#protocols/canonical/usage.ts';
import type { CommandCall } from '../command.ts';
import type { Operator } from '../operator.ts';
import { createEntryReader, createMatcher, findDifference, logPeriodOf } from './compare.ts';
import type { OtherLog, OtherRequest } from './other-log.ts';
import type { RecordedRequest } from './requests-file.ts';
import { endRun, insertRequests, insertRun, readAllowances, type ShadowRow } from './store.ts';

export interface ShadowBatch {
  readonly requests: readonly (RecordedRequest & { readonly other?: OtherRequest })[];
}

export interface ShadowRunOptions {
  readonly tenantId: number;
  readonly name: string;
  readonly source: ShadowSource;
  readonly log: OtherLog;
}

export interface ShadowRunResult {
  readonly summary: ShadowSummary;
  /** Number of requests to endpoints other than completions and embeddings. */
  readonly skipped: number;
}

/** Interval at which a mirror applies configuration changes. */
const reloadMs = 60_000;
/** Placeholder, since no provider is called. */
const sandboxOrigin = 'http://127.0.0.1';

export async function runShadow(
  operator: Operator,
  call: CommandCall,
  options: ShadowRunOptions,
  batches: AsyncIterable<ShadowBatch>,
): Promise<ShadowRunResult> {
  const { tenantId, ...run } = options;
  const { judge, nameOfKey, snapshot } = await openJudge(operator, call, options);
  const comparedWith = run.log.name;
  const runId = await operator.asSystem('runShadow', (tx) =>
    insertRun(tx, { ...run, tenantId, comparedWith }),
  );
  const match = createMatcher();
  const readEntries = createEntryReader(run.log, { isGrowing: run.source === 'mirror' });
  let loadedAtMs = Date.now();
  let [judged, skipped] = [0, 0];
  try {
    for await (const { requests } of batches) {
      if (run.source === 'mirror' && Date.now() - loadedAtMs > reloadMs) {
        await snapshot.load();
        loadedAtMs = Date.now();
      }
      const find = await matchBatch(requests, readEntries, match, nameOfKey);
      const rows: ShadowRow[] = [];
      for (const request of requests.slice(0, shadowRequestsMax - judged)) {
        const other = find(request);
        const verdict = await judge({ ...request, usage: other?.usage ?? null });
        if (verdict) rows.push(toRow(++judged, request, verdict, other));
        else skipped++;
      }
      await insertRequests(operator.system, { runId, tenantId }, rows);
      call.note(`${judged.toLocaleString('en-US')} ${judged === 1 ? 'request' : 'requests'} judged`);
      if (judged >= shadowRequestsMax) break;
    }
  } finally {
    await operator.asSystem('runShadow', (tx) => endRun(tx, runId));
  }
  const summary = await operator.inTenant(tenantId, 'getShadowRun', (tx) =>
    getShadowRun(tx, { tenantId }, runId),
  );
  return { summary, skipped };
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

/** Returns a function that finds the entry of a request in the other gateway's log. */
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
  const key = readCredential(headers);
  return key !== null && isForeignApiKey(key) ? digestKey(key) : null;
}

const requestBody = z.looseObject({ model: z.string() });

/** Returns the model from the request body or, in Google's protocol, from the path. */
function readModel({ body, path }: RecordedRequest): string {
  const inPath = /\/models\/([^?]+):\w+(?:\?|$)/.exec(path)?.[1];
  try {
    if (inPath !== undefined) return decodeURIComponent(inPath);
    return requestBody.parse(JSON.parse(body.toString())).model;
  } catch {
    return '';
  }
}

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
    inputTokens: usage && sumInputTokens(usage),
    outputTokens: usage?.outputTokens ?? null,
    costNanoUsd,
    otherOutcome: other?.outcome ?? null,
    otherRequestId: other && storable(other.requestId, 200),
    otherModel: other && storable(other.model, 200),
    otherCostNanoUsd: other?.costNanoUsd ?? null,
    difference: findDifference({ isServed, model: verdict.model, costNanoUsd }, other),
  };
}

/** Removes characters that PostgreSQL cannot store: NUL and lone surrogates. */
const storable = (text: string, lengthMax: number) =>
  text.slice(0, lengthMax).replaceAll('\0', '').toWellFormed();

import {
  type CsvValue,
  type ShadowRequest,
  type ShadowRun,
  type ShadowSummary,
  shadowRequestsMax,
  toUsd,
} from '@sluice/contract';
import { startExport } from '#console/exports/start-export.ts';
import type { ShadowRunSums } from '#db/schema/shadow-runs.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { formatTotalCount } from '#domain/total-count.ts';
import { notFound } from '#errors/console-error.ts';
import type { Download, SignedInContext } from '#http/console-route.ts';
import { Page } from '#http/verbs.ts';
import {
  countRequests,
  deleteRunRow,
  type GroupRow,
  hasRun,
  type RequestFilters,
  type RequestRow,
  type RunRow,
  selectGroups,
  selectRequests,
  selectRuns,
} from './store.ts';

type Owner = Pick<Principal, 'tenantId'>;

function toSums(sums: Omit<ShadowRunSums, 'first_request_at' | 'last_request_at'>) {
  const { requests, none, refused_here, refused_there, other_model, other_cost, not_compared } = sums;
  return {
    requests,
    none,
    refused_here,
    refused_there,
    other_model,
    other_cost,
    not_compared,
    cost_usd: toUsd(BigInt(sums.cost_nano_usd)),
    other_cost_usd: toUsd(BigInt(sums.other_cost_nano_usd)),
  };
}

const toInstant = (time: string | null) => (time === null ? null : new Date(time).toISOString());

function toRun({ sums, ...row }: RunRow): ShadowRun {
  return {
    id: row.id,
    name: row.name,
    source: row.source,
    compared_with: row.comparedWith,
    started_at: row.startedAt.toISOString(),
    ended_at: row.endedAt?.toISOString() ?? null,
    first_request_at: toInstant(sums.first_request_at),
    last_request_at: toInstant(sums.last_request_at),
    ...toSums(sums),
  };
}

export async function listShadowRuns(tx: TenantTransaction, { tenantId }: Owner): Promise<ShadowRun[]> {
  return (await selectRuns(tx, tenantId)).map(toRun);
}

/** @throws ConsoleError 404 if the tenant does not have the run */
async function requireRun(tx: TenantTransaction, tenantId: number, runId: number): Promise<void> {
  if (!(await hasRun(tx, tenantId, runId))) throw notFound('Shadow run');
}

const groupsMax = 20;

export async function getShadowRun(
  tx: TenantTransaction,
  { tenantId }: Owner,
  runId: number,
): Promise<ShadowSummary> {
  const [run] = await selectRuns(tx, tenantId, runId);
  if (!run) throw notFound('Shadow run');
  const groups = await selectGroups(tx, { tenantId, runId, groupsMax });
  const ofKind = (kind: GroupRow['kind']) => groups.filter((group) => group.kind === kind);
  return {
    run: toRun(run),
    refusals: ofKind('refusal').map(({ error_code, requests, users }) => ({
      error_code: error_code ?? '',
      requests,
      users,
    })),
    models: ofKind('model').map((group) => ({
      model_requested: group.model_requested ?? '',
      ...toSums(group),
    })),
    users: ofKind('user').map(({ user_id, user_name, user_email, ...sums }) => ({
      user_id,
      user_name,
      user_email,
      ...toSums(sums),
    })),
  };
}

const toCost = (nanoUsd: bigint | null) => (nanoUsd === null ? null : toUsd(nanoUsd));

function toRequest(row: RequestRow): ShadowRequest {
  return {
    position: row.position,
    requested_at: row.requestedAt.toISOString(),
    user_id: row.userId,
    user_name: row.userName,
    user_email: row.userEmail,
    path: row.path,
    model_requested: row.modelRequested,
    error_code: row.errorCode,
    message: row.message,
    provider_name: row.providerName,
    model: row.model,
    intent: row.intent,
    score_after: row.scoreAfter,
    input_tokens: row.inputTokens,
    output_tokens: row.outputTokens,
    cost_usd: toCost(row.costNanoUsd),
    other_outcome: row.otherOutcome,
    other_request_id: row.otherRequestId,
    other_model: row.otherModel,
    other_cost_usd: toCost(row.otherCostNanoUsd),
    difference: row.difference,
  };
}

export async function listShadowRequests(
  tx: TenantTransaction,
  { tenantId }: Owner,
  { runId, ...query }: RequestFilters & { runId: number; skip: number; limit: number },
): Promise<Page<ShadowRequest[]>> {
  await requireRun(tx, tenantId, runId);
  const run = { tenantId, runId };
  const total = formatTotalCount(await countRequests(tx, run, query), shadowRequestsMax);
  return new Page((await selectRequests(tx, run, query)).map(toRequest), total);
}

const batchRows = 1_000;

const columnNames = [
  'position',
  'requested_at',
  'user_id',
  'user_name',
  'user_email',
  'path',
  'model_requested',
  'difference',
  'error_code',
  'message',
  'provider_name',
  'model',
  'intent',
  'score_after',
  'input_tokens',
  'output_tokens',
  'cost_usd',
  'other_outcome',
  'other_request_id',
  'other_model',
  'other_cost_usd',
] as const satisfies readonly (keyof ShadowRequest)[];

export function exportShadowRequests(
  ctx: SignedInContext,
  { runId, ...filters }: RequestFilters & { runId: number },
): Promise<Download> {
  const { tenantId } = ctx.principal;
  return startExport<ShadowRequest, number>(ctx, {
    noun: `shadow-run-${runId}`,
    format: 'csv',
    filters: { ...filters },
    columns: Object.fromEntries(
      columnNames.map((name) => [name, (request: ShadowRequest): CsvValue => request[name]]),
    ),
    keyOf: ({ position }) => position,
    readBatch: async (tx, after = filters.after) => {
      await requireRun(tx, tenantId, runId);
      const page = { ...filters, after, skip: 0, limit: batchRows };
      return (await selectRequests(tx, { tenantId, runId }, page)).map(toRequest);
    },
  });
}

export async function deleteShadowRun(
  tx: TenantTransaction,
  { tenantId }: Owner,
  runId: number,
): Promise<{ message: string }> {
  if (!(await deleteRunRow(tx, tenantId, runId))) throw notFound('Shadow run');
  return { message: 'The shadow run has been deleted' };
}

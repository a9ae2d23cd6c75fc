import { randomUUIDv7 } from 'node:crypto';
import type { Comparison, PromptPrivacy } from '@sluice/contract';
import { and, asc, count, desc, eq, inArray, lt, type SQL, sql } from 'drizzle-orm';
import { containsText } from '#db/contains-text.ts';
import {
  llmComparisons as comparisons,
  llmComparisonResults as results,
  llmComparisonVotes as votes,
} from '#db/schema/llm-comparisons.ts';
import { providerRegistry } from '#db/schema/llm-providers.ts';
import { tenants } from '#db/schema/tenants.ts';
import { users } from '#db/schema/users.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { totalCountMax } from '#domain/total-count.ts';

export function selectVendors(tx: TenantTransaction, ids: readonly number[]) {
  return tx
    .select({
      id: providerRegistry.id,
      key: providerRegistry.providerKey,
      name: providerRegistry.displayName,
    })
    .from(providerRegistry)
    .where(and(inArray(providerRegistry.id, [...ids]), providerRegistry.isActive));
}

export async function findPromptPrivacy(tx: TenantTransaction, tenantId: number): Promise<PromptPrivacy> {
  const [tenant] = await tx
    .select({ promptPrivacy: tenants.promptPrivacy })
    .from(tenants)
    .where(eq(tenants.id, tenantId));
  return tenant?.promptPrivacy ?? 'metadata';
}

type NewResult = Pick<typeof results.$inferInsert, 'providerRegistryId' | 'providerName' | 'modelName'>;

/** Returns the ids of the comparison and of its results, in order. */
export async function insertComparison(
  tx: TenantTransaction,
  comparison: Pick<typeof comparisons.$inferInsert, 'tenantId' | 'userId' | 'prompt' | 'isBlind'>,
  newResults: readonly NewResult[],
): Promise<{ id: string; resultIds: string[] }> {
  const id = randomUUIDv7();
  await tx.insert(comparisons).values({ id, ...comparison });
  const rows = newResults.map((result, index) => ({
    ...result,
    id: randomUUIDv7(),
    tenantId: comparison.tenantId,
    comparisonId: id,
    position: index + 1,
  }));
  await tx.insert(results).values(rows);
  return { id, resultIds: rows.map((row) => row.id) };
}

export interface ComparisonFilters {
  readonly userId?: number | undefined;
  readonly status?: Comparison['status'] | undefined;
  readonly search?: string | undefined;
  /** Only returns comparisons with a lower id. */
  readonly before?: string | undefined;
}

export function conditionOf(tenantId: number, { userId, status, search, before }: ComparisonFilters) {
  return and(
    eq(comparisons.tenantId, tenantId),
    userId === undefined ? undefined : eq(comparisons.userId, userId),
    status === undefined ? undefined : eq(statusColumn, status),
    search ? containsText(search, comparisons.prompt) : undefined,
    before === undefined ? undefined : lt(comparisons.id, before),
  );
}

const hasResult = (status: string) =>
  sql`EXISTS (SELECT FROM ${results} WHERE ${results.comparisonId} = ${comparisons.id} AND ${results.status} = ${status})`;

const statusColumn = sql<Comparison['status']>`CASE WHEN ${hasResult('pending')} THEN 'pending'
  WHEN ${hasResult('failed')} THEN 'partial' ELSE 'completed' END`;

export interface ComparisonPage {
  readonly offset: number;
  readonly limit: number;
  /** Maximum text length. Longer texts are truncated. */
  readonly textMax: number;
}

export interface Viewer {
  readonly tenantId: number;
  readonly userId: number;
}

export type Verdict = Pick<typeof votes.$inferSelect, 'verdict' | 'resultId'>;

export async function selectComparisons(
  tx: TenantTransaction,
  { tenantId, userId }: Viewer,
  condition: SQL | undefined,
  { offset, limit, textMax }: ComparisonPage,
) {
  const rows = await tx
    .select({
      id: comparisons.id,
      userId: comparisons.userId,
      userName: users.name,
      prompt: sql<string>`left(${comparisons.prompt}, ${textMax})`,
      isBlind: comparisons.isBlind,
      status: statusColumn,
      createdAt: comparisons.createdAt,
      vote: { verdict: votes.verdict, resultId: votes.resultId },
    })
    .from(comparisons)
    .innerJoin(users, and(eq(users.id, comparisons.userId), eq(users.tenantId, tenantId)))
    .leftJoin(
      votes,
      and(eq(votes.tenantId, tenantId), eq(votes.comparisonId, comparisons.id), eq(votes.userId, userId)),
    )
    .where(condition)
    .orderBy(desc(comparisons.id))
    .offset(offset)
    .limit(limit);
  const found = await selectResults(tx, tenantId, { ids: rows.map(({ id }) => id), textMax });
  return rows.map((row) => ({
    ...row,
    results: found.filter(({ comparisonId }) => comparisonId === row.id),
  }));
}

export type ComparisonRow = Awaited<ReturnType<typeof selectComparisons>>[number];

export async function findComparison(tx: TenantTransaction, viewer: Viewer, id: string) {
  const condition = and(eq(comparisons.tenantId, viewer.tenantId), eq(comparisons.id, id));
  const [row] = await selectComparisons(tx, viewer, condition, { offset: 0, limit: 1, textMax: wholeText });
  return row;
}

const wholeText = 2 ** 31 - 1;

async function selectResults(
  tx: TenantTransaction,
  tenantId: number,
  { ids, textMax }: { ids: readonly string[]; textMax: number },
) {
  if (ids.length === 0) return [];
  return tx
    .select({
      id: results.id,
      comparisonId: results.comparisonId,
      providerRegistryId: results.providerRegistryId,
      providerName: results.providerName,
      modelName: results.modelName,
      status: results.status,
      responseText: sql<string | null>`left(${results.responseText}, ${textMax})`,
      errorMessage: results.errorMessage,
      costNanoUsd: results.costNanoUsd,
      responseTimeMs: results.responseTimeMs,
      totalTokens: results.totalTokens,
      requestId: results.requestId,
    })
    .from(results)
    .where(and(eq(results.tenantId, tenantId), inArray(results.comparisonId, [...ids])))
    .orderBy(asc(results.comparisonId), asc(results.position));
}

export type ResultRow = Awaited<ReturnType<typeof selectResults>>[number];

/** Counts at most `totalCountMax + 1` comparisons. */
export async function countComparisons(tx: TenantTransaction, condition: SQL | undefined): Promise<number> {
  const counted = tx
    .select({ id: comparisons.id })
    .from(comparisons)
    .where(condition)
    .limit(totalCountMax + 1)
    .as('counted');
  const [row] = await tx.select({ total: count() }).from(counted);
  return row?.total ?? 0;
}

export async function sumComparisons(tx: TenantTransaction, tenantId: number, userId: number) {
  const [sums] = await tx
    .select({
      total: sql<number>`count(DISTINCT ${comparisons.id})::integer`,
      costNanoUsd: sql<string>`coalesce(sum(${results.costNanoUsd}), 0)::text`,
    })
    .from(comparisons)
    .innerJoin(results, and(eq(results.comparisonId, comparisons.id), eq(results.tenantId, tenantId)))
    .where(and(eq(comparisons.tenantId, tenantId), eq(comparisons.userId, userId)));
  return sums ?? { total: 0, costNanoUsd: '0' };
}

type Change = Partial<Omit<typeof results.$inferInsert, 'id' | 'tenantId' | 'comparisonId'>>;

export async function changeResult(
  tx: TenantTransaction,
  tenantId: number,
  id: string,
  change: Change,
): Promise<void> {
  await tx
    .update(results)
    .set(change)
    .where(and(eq(results.tenantId, tenantId), eq(results.id, id), eq(results.status, 'pending')));
}

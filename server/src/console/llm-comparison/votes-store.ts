import { and, count, desc, eq, exists, gt, ne, sql } from 'drizzle-orm';
import { llmComparisonResults as results, llmComparisonVotes as votes } from '#db/schema/llm-comparisons.ts';
import type { TenantTransaction } from '#db/tenant.ts';

export type NewVote = typeof votes.$inferInsert;

/** Inserts a vote. Returns `false` if the user has already voted on the comparison. */
export async function insertVote(tx: TenantTransaction, vote: NewVote): Promise<boolean> {
  const written = await tx
    .insert(votes)
    .values(vote)
    .onConflictDoNothing()
    .returning({ id: votes.comparisonId });
  return written.length > 0;
}

/** Counts outcomes per model, most votes first. Comparisons of a single model are excluded. */
export function countVotes(tx: TenantTransaction, tenantId: number) {
  // Count only one outcome if a model has two answers in a comparison.
  const judged = tx
    .select({
      registryId: results.providerRegistryId,
      modelName: results.modelName,
      providerName: sql<string>`max(${results.providerName})`.as('provider_name'),
      isWon: sql<boolean>`coalesce(bool_or(${results.id} = ${votes.resultId}), false)`.as('is_won'),
      isTied: sql<boolean>`${votes.verdict} = 'tie'`.as('is_tied'),
      modelsCount: sql<number>`count(*) OVER (PARTITION BY ${votes.comparisonId}, ${votes.userId})`.as(
        'models_count',
      ),
    })
    .from(votes)
    .innerJoin(results, and(eq(results.comparisonId, votes.comparisonId), eq(results.tenantId, tenantId)))
    .where(and(eq(votes.tenantId, tenantId), ne(votes.verdict, 'skipped'), eq(results.status, 'completed')))
    .groupBy(votes.comparisonId, votes.userId, votes.verdict, results.providerRegistryId, results.modelName)
    .as('judged');
  return tx
    .select({
      registryId: judged.registryId,
      modelName: judged.modelName,
      providerName: sql<string>`max(${judged.providerName})`,
      votes: count(),
      wins: sql<number>`(count(*) FILTER (WHERE ${judged.isWon}))::integer`,
      ties: sql<number>`(count(*) FILTER (WHERE ${judged.isTied}))::integer`,
    })
    .from(judged)
    .where(gt(judged.modelsCount, 1))
    .groupBy(judged.registryId, judged.modelName)
    .orderBy(desc(count()), judged.modelName);
}

export function sumVotedAnswers(tx: TenantTransaction, tenantId: number) {
  const ofResult = tx
    .select({ one: sql`1` })
    .from(votes)
    .where(
      and(
        eq(votes.tenantId, tenantId),
        eq(votes.comparisonId, results.comparisonId),
        ne(votes.verdict, 'skipped'),
      ),
    );
  return tx
    .select({
      registryId: results.providerRegistryId,
      modelName: results.modelName,
      count: count(),
      pricedCount: count(results.costNanoUsd),
      costNanoUsd: sql<string>`coalesce(sum(${results.costNanoUsd}), 0)::text`,
    })
    .from(results)
    .where(and(eq(results.tenantId, tenantId), eq(results.status, 'completed'), exists(ofResult)))
    .groupBy(results.providerRegistryId, results.modelName);
}

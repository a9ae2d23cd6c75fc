import type { Comparison, ComparisonVote } from '@sluice/contract';
import type { LogTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { ConsoleError, invalidField } from '#errors/console-error.ts';
import { readComparison } from './read.ts';
import type { ComparisonRow, Verdict } from './store.ts';
import { orderBlindly, toComparison } from './to-comparison.ts';
import { insertVote } from './votes-store.ts';

/** @throws ConsoleError 409 if no vote is possible or the user has already voted, 422 if the answer is unknown */
export async function voteOnComparison(
  tx: LogTransaction,
  author: Principal,
  { id, vote }: { readonly id: string; readonly vote: ComparisonVote },
): Promise<Comparison> {
  const { tenantId, userId } = author;
  const row = await readComparison(tx, author, id);
  requireVotable(row);
  const verdict = toVerdict(row, userId, vote);
  const isFirst = await insertVote(tx, { tenantId, comparisonId: id, userId, ...verdict });
  if (!isFirst) throw new ConsoleError(409, 'You have already voted on this comparison.');
  return toComparison({ ...row, vote: verdict }, userId);
}

function requireVotable({ isBlind, status, results }: ComparisonRow): void {
  if (!isBlind) {
    throw new ConsoleError(
      409,
      'This comparison is not blind. Start one as a blind vote to judge its answers.',
    );
  }
  if (status === 'pending') {
    throw new ConsoleError(409, 'Some models are still responding. Vote after all of them have finished.');
  }
  if (results.filter((result) => result.status === 'completed').length < 2) {
    throw new ConsoleError(409, 'Fewer than two models have answered, so there is nothing to choose from.');
  }
}

function toVerdict(row: ComparisonRow, viewerId: number, vote: ComparisonVote): Verdict {
  if (vote === 'tie' || vote === 'all_bad' || vote === 'skipped') return { verdict: vote, resultId: null };
  const chosen = orderBlindly(row.results, viewerId).find(({ label }) => label === vote)?.answer;
  if (chosen?.status !== 'completed') throw invalidField('vote', 'This answer does not exist.');
  return { verdict: 'best', resultId: chosen.id };
}

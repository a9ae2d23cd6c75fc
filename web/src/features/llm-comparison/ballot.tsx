import { Button } from '@mantine/core';
import type { Comparison, ComparisonVote } from '@sluice/contract';
import { Notice } from '#components/ui/notice.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { messageOf } from '#lib/describe-failure.ts';
import styles from './ballot.module.css';
import { useVote } from './queries.ts';
import { nameAnswer } from './result-card.tsx';

interface BallotProps {
  comparison: Comparison;
  isEnded: boolean;
}

/** Shows the result after the vote. */
export function Ballot({ comparison, isEnded }: BallotProps) {
  const { is_blind, is_revealed, vote } = comparison;
  if (!is_blind) return null;
  if (vote !== null) return <VoteGiven comparison={comparison} vote={vote} />;
  if (is_revealed) {
    return (
      <Notice
        kind="warn"
        title="Fewer than two models have answered, so there is nothing to vote on. The models are shown."
      />
    );
  }
  if (!isEnded) {
    return (
      <p className="quiet" role="status">
        Answers appear together once all models have finished. Their order could reveal a model, so the page
        hides it.
      </p>
    );
  }
  return <Choices comparison={comparison} />;
}

function Choices({ comparison: { id, results } }: { comparison: Comparison }) {
  const { mutate, isPending, error } = useVote(id);
  const answered = results.filter(({ status }) => status === 'completed');
  const isPair = answered.length === 2;
  const choice = (vote: ComparisonVote, label: string, variant = 'default') => (
    <Button key={vote} variant={variant} aria-disabled={isPending} onClick={() => isPending || mutate(vote)}>
      {label}
    </Button>
  );
  return (
    <section className={styles.ballot} aria-label="Your vote">
      <h2>Which answer is {isPair ? 'better' : 'the best'}?</h2>
      <div className={styles.choices}>
        {answered.map(
          ({ label }) => label && choice(label, `${label} is ${isPair ? 'better' : 'the best'}`, 'filled'),
        )}
        {choice('tie', 'Tie')}
        {choice('all_bad', isPair ? 'Both bad' : 'All bad')}
        {choice('skipped', 'Skip and show the models', 'subtle')}
      </div>
      <p className="quiet">Then the models, costs and times are shown. A vote cannot be changed.</p>
      <div role="alert">
        {error && <StatusMark kind="bad">{messageOf(error, 'Failed to save the vote')}</StatusMark>}
      </div>
    </section>
  );
}

const unranked = {
  tie: 'You voted for a tie.',
  all_bad: 'You voted that none of the answers is good.',
  skipped: 'You skipped the vote. This comparison does not count toward your win rates.',
} as const;

function VoteGiven({ comparison, vote }: { comparison: Comparison; vote: ComparisonVote }) {
  const chosen = comparison.results.find(({ label }) => label === vote);
  if (!chosen) return <Notice kind="ok" title={unranked[vote as keyof typeof unranked]} />;
  const { title, model } = nameAnswer(chosen);
  return (
    <Notice
      kind="ok"
      title={
        <>
          You voted for {title}, <code>{model}</code>.
        </>
      }
    />
  );
}

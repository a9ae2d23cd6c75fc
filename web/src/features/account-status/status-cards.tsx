import { useQuery } from '@tanstack/react-query';
import { Failure } from '#components/ui/notice.tsx';
import { StatStrip } from '#components/ui/stat-strip.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { accountHealthOf, quotaStatusQuery, userStatsQuery } from '#lib/account-status.ts';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatCount, formatScore } from '#lib/format-number.ts';
import { cardScoreKind } from '#lib/score-level.ts';
import styles from './screen.module.css';

export function StatusCards() {
  const { data: status } = useQuery(quotaStatusQuery);
  const answer = useQuery(userStatsQuery);
  const { data: stats } = answer;
  const failure = describeFailure(answer, 'Your figures could not be loaded');
  if (failure) return <Failure {...failure} />;
  const health = status && accountHealthOf(status);
  return (
    <StatStrip
      label="Your account"
      stats={[
        {
          label: 'Account Status',
          value: health && <StatusMark kind={health.kind}>{health.text}</StatusMark>,
        },
        {
          label: 'Total Tokens Used',
          value: stats && formatCount(stats.total_tokens_used),
        },
        {
          label: 'Deviation Score',
          value: status && <CardScore score={status.deviation_score} />,
          note: (
            <>
              {status && `${formatScore(status.deviation_score)} of 1 elsewhere · `}
              <a href="#last-requests">Show the causes</a>
            </>
          ),
        },
      ]}
    />
  );
}

export function QuickStats() {
  const { data: stats, error } = useQuery(userStatsQuery);
  if (error) return null;
  return (
    <div className={styles.cards}>
      <StatStrip
        label="Quick stats"
        stats={[
          { label: 'Requests today', value: stats?.requests_today },
          { label: 'Tokens today', value: stats && formatCount(stats.tokens_today) },
          { label: 'Total requests', value: stats?.total_requests },
          { label: 'Tasks completed', value: stats?.completed_tasks },
        ]}
      />
    </div>
  );
}

/** Shows the score from 0 to 100; all other pages show scores from 0 to 1. The color follows the displayed number. */
function CardScore({ score }: { score: number }) {
  const percent = Math.round(score * 100);
  return <StatusMark kind={cardScoreKind(percent / 100)}>{formatScore(percent, 0)} of 100</StatusMark>;
}

import { useQuery } from '@tanstack/react-query';
import { formatCount } from '../../lib/format-number.ts';
import styles from './budget-bar.module.css';
import { dayBudgetQuery } from './queries.ts';

/** Tokens of a typical answer. */
const answerTokens = 500;
const charsPerToken = 4;

/** Used tokens of today, and an estimate of the next answer. */
export function BudgetBar({ draft, threadTokens }: { draft: string; threadTokens: number }) {
  const { data } = useQuery(dayBudgetQuery);
  if (!data || data.limit === null || data.limit === 0) return null;
  const { used, limit } = data;
  const next = threadTokens + Math.ceil(draft.length / charsPerToken) + answerTokens;
  const left = Math.max(0, limit - used);
  return (
    <div className={styles.budget}>
      <p className="num">
        next answer ≈ {formatCount(next)} tokens · {formatCount(left)} left today
      </p>
      <svg className={styles.bar} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
        <rect className={styles.next} width={Math.min(100, ((used + next) / limit) * 100)} height="1" />
        <rect className={styles.used} width={Math.min(100, (used / limit) * 100)} height="1" />
      </svg>
    </div>
  );
}

import { Button, Tooltip } from '@mantine/core';
import type { Comparison } from '@sluice/contract';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { formatAge } from '../../lib/format-age.ts';
import { formatUsdExact } from '../../lib/format-money.ts';
import { formatQuantity } from '../../lib/format-number.ts';
import { formatFullTime } from '../../lib/format-time.ts';
import { useNow } from '../../lib/use-now.ts';
import styles from './history.module.css';

const marks = {
  pending: { kind: 'pending', word: 'Pending' },
  completed: { kind: 'ok', word: 'Completed' },
  partial: { kind: 'warn', word: 'Partial' },
} as const;

interface HistoryCardProps {
  comparison: Comparison;
  /** Whether its results are displayed. */
  isOpen: boolean;
  /** Whether to show its author. */
  isNamed: boolean;
  onView: () => void;
}

export function HistoryCard({ comparison, isOpen, isNamed, onView }: HistoryCardProps) {
  const { prompt, status, created_at, providers_count, total_cost, results, user_name, is_revealed } =
    comparison;
  const nowMs = useNow();
  const { kind, word } = marks[status];
  return (
    <li className={styles.card} aria-label={prompt} aria-current={isOpen || undefined}>
      <div className={styles.summary}>
        <p className={styles.prompt}>{prompt}</p>
        <p className={styles.models}>
          {is_revealed
            ? results.map(({ model_name }) => model_name).join(' · ')
            : 'Models are shown once you have voted'}
        </p>
        <p className={styles.facts}>
          <StatusMark kind={kind}>{word}</StatusMark>
          <Tooltip label={formatFullTime(created_at)}>
            <time className="num" dateTime={created_at}>
              {formatAge(created_at, nowMs)}
            </time>
          </Tooltip>
          {isNamed && <span>{user_name}</span>}
          <span className="num">{formatQuantity(providers_count, 'model')}</span>
          {total_cost !== null && <span className="num">{formatUsdExact(total_cost, 6)}</span>}
        </p>
      </div>
      <Button variant="default" aria-label={`View: ${prompt.slice(0, 80)}`} onClick={onView}>
        View
      </Button>
    </li>
  );
}

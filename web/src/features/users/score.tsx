import { StatusMark } from '../../components/ui/status-mark.tsx';
import { formatScore, scoreKind } from '../../lib/score-level.ts';

/** A deviation score from 0 to 1: red above 0.7, yellow above 0.5, else green. */
export function Score({ score }: { score: number }) {
  return (
    <span className="num">
      <StatusMark kind={scoreKind(score)}>{formatScore(score)}</StatusMark>
    </span>
  );
}

import { formatScore } from '#lib/format-number.ts';
import { scoreKind } from '#lib/score-level.ts';
import { StatusMark } from './status-mark.tsx';

/** Deviation score from 0 to 1. Red above 0.7, yellow above 0.5, otherwise green. */
export function DeviationScore({ score }: { score: number }) {
  return (
    <span className="num" title="Deviation score from 0 (on task) to 1">
      <StatusMark kind={scoreKind(score)}>{formatScore(score)} of 1</StatusMark>
    </span>
  );
}

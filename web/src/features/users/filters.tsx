import type { User } from '@sluice/contract';
import type { ScoreChoice } from './find.ts';
import { ScoreFilter } from './score-filter.tsx';
import { type StatusChoice, StatusFilter } from './status-filter.tsx';

export interface UserFiltersProps {
  users: readonly User[];
  status: StatusChoice;
  score: ScoreChoice | undefined;
  onStatus: (status: StatusChoice) => void;
  onScore: (score: ScoreChoice | undefined) => void;
}

export function UserFilters({ users, status, score, onStatus, onScore }: UserFiltersProps) {
  return (
    <>
      <StatusFilter users={users} chosen={status} onChoose={onStatus} />
      <ScoreFilter chosen={score} onChoose={onScore} />
    </>
  );
}

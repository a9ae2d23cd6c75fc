import { X } from 'lucide-react';
import { IconButton } from '../../components/ui/icon-button.tsx';
import { Notice } from '../../components/ui/notice.tsx';
import type { ChatProblem } from './problems.ts';

interface ProblemBannerProps {
  problem: ChatProblem | null;
  onDismiss: () => void;
}

/** Last error, until dismissed. */
export function ProblemBanner({ problem, onDismiss }: ProblemBannerProps) {
  return (
    <div role="alert">
      {problem && (
        <Notice
          kind="bad"
          title={problem.title}
          action={<IconButton label="Dismiss" icon={X} onClick={onDismiss} />}
        >
          {problem.reason}
        </Notice>
      )}
    </div>
  );
}

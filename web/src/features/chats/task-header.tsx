import { useDocumentTitle } from '@mantine/hooks';
import type { ChatTaskContext } from '@sluice/contract';
import { Menu } from 'lucide-react';
import { Badge } from '../../components/ui/badge.tsx';
import { IconButton } from '../../components/ui/icon-button.tsx';
import { formatCount } from '../../lib/format-number.ts';
import styles from './task-header.module.css';

interface TaskHeaderProps {
  task: ChatTaskContext | undefined;
  /** What the chat itself has taken. */
  tokensUsed: number | undefined;
  onOpenList: () => void;
}

/** What the chat works for, and what is left of it. */
export function TaskHeader({ task, tokensUsed, onOpenList }: TaskHeaderProps) {
  const title = task?.title ?? 'Chat';
  useDocumentTitle(`${title} · Sluice`);
  return (
    <header className={styles.header}>
      <div className={styles.menu}>
        <IconButton label="Chats" icon={Menu} onClick={onOpenList} />
      </div>
      <div className={styles.task}>
        <div className={styles.title}>
          <h1>{title}</h1>
          {task && <Badge>{task.category}</Badge>}
        </div>
        {task && <p className={styles.about}>{task.description}</p>}
      </div>
      <div className={styles.tokens}>
        {typeof task?.remaining_tokens === 'number' && (
          <p>
            <strong className="num">{formatCount(task.remaining_tokens)}</strong> tokens left
          </p>
        )}
        {typeof task?.token_limit === 'number' && (
          <p className={styles.about}>
            of <span className="num">{formatCount(task.token_limit)}</span> in this task
          </p>
        )}
        {!task && tokensUsed !== undefined && (
          <p className={styles.about}>
            <span className="num">{formatCount(tokensUsed)}</span> tokens used
          </p>
        )}
      </div>
    </header>
  );
}

import { Button } from '@mantine/core';
import { noChatTask, type QuotaStatus } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MessageSquare } from 'lucide-react';
import { useEffect } from 'react';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { findDefaultTask, isOpenTask, userTasksQuery } from '#lib/user-tasks.ts';
import type { ChatProblem } from './queries.ts';
import styles from './start-panel.module.css';

interface StartPanelProps {
  /** True for administrators, who may chat without a task. */
  mayOmitTask: boolean;
  onStart: (taskId: number | undefined) => void;
  onProblem: (problem: ChatProblem) => void;
}

/** The chat of a single active task starts immediately. */
export function StartPanel({ mayOmitTask, onStart, onProblem }: StartPanelProps) {
  const { data: tasks } = useQuery(userTasksQuery);
  const open = tasks?.filter(isOpenTask);
  const only = open?.length === 1 ? open[0] : undefined;
  const hasNone = open?.length === 0 && !mayOmitTask;
  // biome-ignore lint/correctness/useExhaustiveDependencies: must run once per query result
  useEffect(() => {
    if (only) onStart(only.task_id);
    if (hasNone) onProblem({ title: noChatTask });
  }, [only?.task_id, hasNone]);
  if (!open || only) return <div className={styles.panel} aria-busy="true" />;
  if (hasNone)
    return (
      <div className={styles.panel}>
        <EmptyState title="No active task">
          A chat belongs to a task. Ask your administrator to assign you one.
        </EmptyState>
      </div>
    );
  return (
    <div className={styles.panel}>
      <h2>{open.length > 0 ? 'Choose a task to chat about' : 'Start a chat'}</h2>
      <ul className={styles.tasks}>
        {open.map(({ task_id, task_title, task_description }) => (
          <li key={task_id}>
            <button type="button" className={styles.task} onClick={() => onStart(task_id)}>
              <strong>{task_title}</strong>
              <span>{task_description}</span>
            </button>
          </li>
        ))}
      </ul>
      {mayOmitTask && !findDefaultTask(open) && (
        <Button
          variant={open.length > 0 ? 'default' : 'filled'}
          leftSection={<MessageSquare size={14} aria-hidden />}
          onClick={() => onStart(undefined)}
        >
          Chat without a task
        </Button>
      )}
    </div>
  );
}

/** A blocked user can read chats but not write. */
export function BlockNotice({ status }: { status: QuotaStatus }) {
  return (
    <div role="status" className={styles.notice}>
      <Notice
        kind="bad"
        title={status.warnings.blocked_status}
        action={<Link to="/dashboard">Open the dashboard</Link>}
      >
        {status.blocked_reason && `Reason: ${status.blocked_reason}. `}
        You can read your chats, but cannot send messages.
      </Notice>
    </div>
  );
}

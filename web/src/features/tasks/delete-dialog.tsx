import { Button } from '@mantine/core';
import type { Task, TaskDeletionImpact } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Dialog, DialogFooter } from '#components/ui/dialog.tsx';
import { NameLine, SecondLine } from '#components/ui/lines.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { PanelList } from '#components/ui/panel-list.tsx';
import { RecentUse } from '#components/ui/recent-use.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { formatQuantity } from '#lib/format-number.ts';
import { formatDay } from '#lib/format-time.ts';
import styles from './delete-dialog.module.css';
import { deletionImpactQuery, useDeleteTask } from './queries.ts';

interface DeleteTaskDialogProps {
  task: Task;
  isOpen: boolean;
  onClose: () => void;
}

/** Lists the users who lose the task. */
export function DeleteTaskDialog({ task, isOpen, onClose }: DeleteTaskDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={`Delete ${task.title}?`}>
      <DeleteTask task={task} onClose={onClose} />
    </Dialog>
  );
}

function DeleteTask({ task, onClose }: { task: Task; onClose: () => void }) {
  const { data: impact, isError } = useQuery(deletionImpactQuery(task.id));
  const { mutate, isPending } = useDeleteTask();
  useEffect(() => {
    if (!isError) return;
    showError('Failed to check deletion impact. Please try again.');
    onClose();
  }, [isError, onClose]);
  const remove = () =>
    mutate(task, {
      onSuccess: () => {
        showSuccess(`${task.title} was deleted`);
        onClose();
      },
      onError: () => showError('Failed to delete task. Please try again.'),
    });
  return (
    <>
      <RecentUse of={{ task_id: task.id }} />
      {impact ? <Impact impact={impact} /> : <SkeletonLines count={4} />}
      <DialogFooter>
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button
          color="danger"
          disabled={!impact}
          aria-disabled={isPending}
          onClick={() => !isPending && remove()}
        >
          {isPending ? 'Deleting...' : 'Delete Task & Unassign User(s)'}
        </Button>
      </DialogFooter>
    </>
  );
}

function Impact({ impact }: { impact: TaskDeletionImpact }) {
  const { active_assignments_count: count, affected_users: people, warnings } = impact;
  return (
    <div className={styles.impact}>
      <p>
        <strong className="num">{count}</strong> active {count === 1 ? 'assignment ends' : 'assignments end'}.
        The task cannot be restored. Its requests stay in the logs.
      </p>
      {warnings.length > 0 && (
        <ul className={styles.warnings} aria-label="Warnings">
          {warnings.map((warning) => (
            <li key={warning}>
              <Notice kind="warn" title={warning} />
            </li>
          ))}
        </ul>
      )}
      {people.length > 0 && (
        <PanelList label="Affected users" items={people} noun="users">
          {(person) => (
            <li key={person.user_id} className={styles.person}>
              <div className={styles.identity}>
                <NameLine>{person.user_name}</NameLine>
                <SecondLine>{person.user_email}</SecondLine>
              </div>
              <div className={`num ${styles.since}`}>
                {describeDays(person.assignment_duration_days)}
                <SecondLine>since {formatDay(person.assigned_since)}</SecondLine>
              </div>
            </li>
          )}
        </PanelList>
      )}
    </div>
  );
}

const describeDays = (days: number) => (days === 0 ? 'Today' : formatQuantity(days, 'day'));

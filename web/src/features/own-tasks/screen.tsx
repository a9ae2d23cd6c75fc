import { Button } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { portalRoutes, type UserTask } from '@sluice/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { TextAreaField } from '#components/forms/text-field.tsx';
import { useConfirm } from '#components/ui/confirm.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { PageHeader } from '#components/ui/page-header.tsx';
import { QuotaBar } from '#components/ui/quota-bar.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { createApiClient } from '#lib/api.ts';
import { describeFailure, messageOf } from '#lib/describe-failure.ts';
import { formatLabel } from '#lib/format-label.ts';
import { formatUsd } from '#lib/format-money.ts';
import { formatUse } from '#lib/format-number.ts';
import { formatDay } from '#lib/format-time.ts';
import { mayAdminister } from '#lib/home-path.ts';
import { describeNoTasks, noTasksTitle } from '#lib/no-tasks.ts';
import { currentUserQuery } from '#lib/session.ts';
import { userTasksQuery } from '#lib/user-tasks.ts';
import cardStyles from './card.module.css';
import styles from './screen.module.css';

const calls = createApiClient(portalRoutes);

function useSaveProgress() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, notes }: { id: number; notes: string }) =>
      calls.updateTaskProgress({ params: { id }, body: { progress_notes: notes } }),
    onSettled: () => queryClient.invalidateQueries(userTasksQuery),
  });
}

function useCompleteTask() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => calls.completeTask({ params: { id }, body: {} }),
    onSettled: () => queryClient.invalidateQueries(userTasksQuery),
  });
}

const marks = { active: 'ok', completed: 'off', cancelled: 'off' } as const;

function TaskCard({ task }: { task: UserTask }) {
  const [isWriting, setWriting] = useState(false);
  const { status, tokens_used, token_limit, progress_notes } = task;
  const isOff = status === 'active' && !task.is_task_active;
  return (
    <article className={cardStyles.card}>
      <div className={cardStyles.head}>
        <h2>{task.task_title}</h2>
        {isOff ? (
          <StatusMark kind="warn">Deactivated</StatusMark>
        ) : (
          <StatusMark kind={marks[status]}>{formatLabel(status)}</StatusMark>
        )}
      </div>
      <p className="quiet">
        {formatLabel(task.task_category)} · {formatLabel(task.task_difficulty)} · {task.estimated_hours} h ·
        assigned {formatDay(task.assigned_at)}
      </p>
      {isOff && (
        <p>
          Your administrator has deactivated this task. Requests for it are refused until it is active again.
        </p>
      )}
      <p>{task.task_description}</p>
      <div>
        <QuotaBar used={tokens_used} limit={token_limit} />
        <p className="num quiet">
          Total: {formatUse(tokens_used, token_limit, 'tokens')} · {formatUsd(task.spend_usd_month)} this
          month
        </p>
      </div>
      {isWriting ? (
        <ProgressForm task={task} onDone={() => setWriting(false)} />
      ) : (
        progress_notes !== '' && <p className={cardStyles.notes}>{progress_notes}</p>
      )}
      {!isWriting && <CardActions task={task} onWrite={() => setWriting(true)} />}
    </article>
  );
}

function CardActions({ task, onWrite }: { task: UserTask; onWrite: () => void }) {
  const complete = useCompletion(task);
  if (task.status !== 'active') return null;
  return (
    <div className={cardStyles.actions}>
      {task.is_task_active && <ChatLink task={task} />}
      <Button variant="default" onClick={onWrite}>
        {task.progress_notes === '' ? 'Add notes' : 'Edit notes'}
      </Button>
      <Button variant="default" onClick={() => void complete()}>
        Complete
      </Button>
    </div>
  );
}

function ChatLink({ task: { task_id, tokens_used } }: { task: UserTask }) {
  const router = useRouter();
  if (!Object.hasOwn(router.routesByPath, '/chat')) return null;
  return (
    <Button component="a" href={`/chat?task=${task_id}`}>
      {tokens_used > 0 ? 'Continue Chat' : 'Start Chat'}
    </Button>
  );
}

function useCompletion({ id, task_title }: UserTask) {
  const confirm = useConfirm();
  const { mutate } = useCompleteTask();
  return async () => {
    const isSure = await confirm({
      title: 'Complete task',
      message: `Complete "${task_title}"? Requests for it will be refused. Your administrator can assign it again.`,
      confirmLabel: 'Complete',
    });
    if (!isSure) return;
    mutate(id, {
      onSuccess: () => showSuccess(`${task_title} is completed`),
      onError: (error) => showError(messageOf(error, 'The task could not be completed')),
    });
  };
}

function ProgressForm({ task, onDone }: { task: UserTask; onDone: () => void }) {
  const [notes, setNotes] = useState(task.progress_notes);
  const { mutate, isPending } = useSaveProgress();
  const save = () =>
    mutate(
      { id: task.id, notes },
      {
        onSuccess: () => {
          showSuccess('Progress saved');
          onDone();
        },
        onError: (error) => showError(messageOf(error, 'The progress could not be saved')),
      },
    );
  return (
    <>
      <TextAreaField
        label="Progress notes"
        value={notes}
        maxLength={10_000}
        autoFocus
        onChange={({ currentTarget }) => setNotes(currentTarget.value)}
      />
      <div className={cardStyles.actions}>
        <Button data-pending={isPending || undefined} onClick={save}>
          Save
        </Button>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </>
  );
}

export function OwnTasksScreen() {
  useDocumentTitle('My Tasks · Sluice');
  const answer = useQuery(userTasksQuery);
  const { data: viewer } = useQuery(currentUserQuery);
  const failure = describeFailure(answer, 'Failed to load tasks. Please try again.');
  const tasks = answer.data?.toSorted(
    (one, other) => Number(other.status === 'active') - Number(one.status === 'active'),
  );
  return (
    <>
      <PageHeader title="My Tasks" subtitle="Tasks assigned to you" />
      {failure && (
        <Failure {...failure} message="Failed to load tasks. Please try again." retryLabel="Try Again" />
      )}
      {!failure && !tasks && <SkeletonLines count={6} />}
      {tasks?.length === 0 && (
        <EmptyState
          title={noTasksTitle}
          action={
            viewer &&
            mayAdminister(viewer) && (
              <Button component={Link} to="/admin/tasks" variant="default">
                Open Task Management
              </Button>
            )
          }
        >
          {describeNoTasks(viewer != null && mayAdminister(viewer))}
        </EmptyState>
      )}
      <ul className={styles.grid}>
        {tasks?.map((task) => (
          <li key={task.id}>
            <TaskCard task={task} />
          </li>
        ))}
      </ul>
    </>
  );
}

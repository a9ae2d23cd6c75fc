import { Button } from '@mantine/core';
import type { Task } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { Failure } from '../../components/ui/failure.tsx';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { messageOf } from '../../lib/message-of.ts';
import { AssignmentRow } from './assignment-row.tsx';
import styles from './task-assignments.module.css';
import { assignmentsQuery } from './tasks-queries.ts';
import { useAssignmentActs } from './use-assignment-acts.ts';

/** How many are drawn before somebody asks for more. */
const stepCount = 50;

/** Who works on a task, and who did. */
export function TaskAssignments({ task }: { task: Task }) {
  const { data, error, refetch } = useQuery(assignmentsQuery(task.id));
  const actions = useAssignmentActs(task);
  const [shownMax, setShownMax] = useState(stepCount);
  if (error && !data) {
    const message = messageOf(error, 'Failed to load assignments');
    return <Failure message={message} error={error} onRetry={() => void refetch()} />;
  }
  if (!data) return <SkeletonLines count={8} />;
  if (data.length === 0)
    return (
      <EmptyState title="Nobody works on this task yet">
        Whoever it is assigned to names it in their requests, or needs not when it is their only one.
      </EmptyState>
    );
  return (
    <>
      <ul className={styles.assignments} aria-label={`Assignments of ${task.title}`}>
        {data.slice(0, shownMax).map((assignment) => (
          <AssignmentRow key={assignment.id} assignment={assignment} actions={actions} />
        ))}
      </ul>
      {data.length > shownMax && (
        <div className={styles.rest}>
          <Button variant="default" onClick={() => setShownMax(shownMax + stepCount)}>
            Show more
          </Button>
          <span className="num">
            {shownMax} of {data.length} assignments
          </span>
        </div>
      )}
    </>
  );
}

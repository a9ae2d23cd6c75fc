import { useDocumentTitle } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { Failure } from '../../components/ui/failure.tsx';
import { PageHeader } from '../../components/ui/page-header.tsx';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import { userTasksQuery } from '../../lib/user-tasks.ts';
import { TaskCard } from './card.tsx';
import styles from './screen.module.css';

/** The user's tasks, active ones first. */
export function OwnTasksScreen() {
  useDocumentTitle('My Tasks · Sluice');
  const answer = useQuery(userTasksQuery);
  const failure = describeFailure(answer, 'Failed to load tasks. Please try again.');
  const tasks = answer.data?.toSorted(
    (one, other) => Number(other.status === 'active') - Number(one.status === 'active'),
  );
  return (
    <>
      <PageHeader title="My Tasks" subtitle="What you have been asked to work on" />
      {failure && (
        <Failure {...failure} message="Failed to load tasks. Please try again." retryLabel="Try Again" />
      )}
      {!failure && !tasks && <SkeletonLines count={6} />}
      {tasks?.length === 0 && (
        <EmptyState title="No Tasks Assigned">
          Please contact your administrator to get a task assigned to you.
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

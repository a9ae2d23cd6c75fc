import type { Task } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { Failure } from '../../components/ui/failure.tsx';
import { PanelList } from '../../components/ui/panel-list.tsx';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import { useAssignmentActions } from './assignment-actions.ts';
import { AssignmentRow } from './assignment-row.tsx';
import { assignmentsQuery } from './queries.ts';

/** Current and past assignments of a task. */
export function TaskAssignments({ task }: { task: Task }) {
  const assignments = useQuery(assignmentsQuery(task.id));
  const { data } = assignments;
  const actions = useAssignmentActions(task);
  const failure = describeFailure(assignments, 'Failed to load assignments');
  if (failure && !data) return <Failure {...failure} />;
  if (!data) return <SkeletonLines count={8} />;
  if (data.length === 0)
    return (
      <EmptyState title="Nobody works on this task yet">
        Assigned users name this task in their requests. Users with only one task need not.
      </EmptyState>
    );
  return (
    <PanelList label={`Assignments of ${task.title}`} items={data} noun="assignments">
      {(assignment) => <AssignmentRow key={assignment.id} assignment={assignment} actions={actions} />}
    </PanelList>
  );
}

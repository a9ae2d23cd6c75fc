import { Button } from '@mantine/core';
import type { Task } from '@sluice/contract';
import { DetailsDrawer } from '../../components/data-table/details-drawer.tsx';
import type { DataTableModel } from '../../components/data-table/use-data-table.ts';
import { AddPersonIcon, EditIcon } from '../../components/ui/action-icons.ts';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import type { TaskActions } from './actions.ts';
import { TaskAssignments } from './assignments.tsx';
import styles from './drawer.module.css';

interface TaskDrawerProps {
  model: DataTableModel<Task>;
  /** All tasks, since the one in the URL may be filtered out. */
  tasks: readonly Task[] | undefined;
  id: string;
  actions: TaskActions;
}

/** Task Assignments: a task's purpose and assignments, next to the list. */
export function TaskDrawer({ model, tasks, id, actions }: TaskDrawerProps) {
  const task = tasks?.find((listed) => String(listed.id) === id);
  return (
    <DetailsDrawer
      model={model}
      label="Task Assignments"
      heading={<h2>{task?.title ?? 'Task Assignments'}</h2>}
    >
      {!tasks && <SkeletonLines count={6} />}
      {tasks && !task && <EmptyState title="There is no such task">No task here has the id {id}.</EmptyState>}
      {task && (
        <>
          <p className={styles.description}>{task.description}</p>
          <div className={styles.actions}>
            {task.is_active && !(task.is_dummy_task && task.has_assignments) && (
              <Button
                leftSection={<AddPersonIcon {...iconProps} />}
                onClick={() => actions.open('assign', task)}
              >
                {task.has_assignments ? 'Reassign' : 'Assign'}
              </Button>
            )}
            {!task.is_active && <Button onClick={() => actions.toggle(task)}>Activate</Button>}
            <Button
              variant="default"
              leftSection={<EditIcon {...iconProps} />}
              onClick={() => actions.open('edit', task)}
            >
              Edit
            </Button>
          </div>
          {!task.is_active && <p className={styles.note}>This task is inactive and accepts no requests.</p>}
          <TaskAssignments task={task} />
        </>
      )}
    </DetailsDrawer>
  );
}

const iconProps = { size: 14, strokeWidth: 1.5, 'aria-hidden': true } as const;

import { Button } from '@mantine/core';
import { apiAccessTaskBody, type Task } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { SpendSection } from '#components/charts/spend-section.tsx';
import { DetailsDrawer } from '#components/data-table/details-drawer.tsx';
import { SpendLine } from '#components/data-table/spend-totals.tsx';
import type { DataTableModel } from '#components/data-table/use-data-table.ts';
import { Form } from '#components/forms/form.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { AddPersonIcon, EditIcon } from '#components/ui/action-icons.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { PanelList } from '#components/ui/panel-list.tsx';
import { SegmentedSwitch } from '#components/ui/segmented-switch.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { showSuccess } from '#components/ui/toasts.tsx';
import { BudgetsSection } from '#features/budgets/index.ts';
import { LabelsSection } from '#features/labels/index.ts';
import { describeFailure } from '#lib/describe-failure.ts';
import type { TaskActions } from './actions.ts';
import { AssignTaskDialog, PersonField } from './assign-dialog.tsx';
import { AssignmentRow, useAssignmentActions } from './assignment-row.tsx';
import { DeleteTaskDialog } from './delete-dialog.tsx';
import drawerStyles from './drawer.module.css';
import { filterUsersWithoutApiAccess, isReassignable } from './filter-tasks.ts';
import styles from './form.module.css';
import { TaskForm } from './form.tsx';
import { assignmentsQuery, taskDaysQuery, tasksQuery, useCreateTask, usePeople } from './queries.ts';

const nobody: { is_dummy_task: true; user_id: string } = { is_dummy_task: true, user_id: '' };

export function ApiAccessForm({ onCreated }: { onCreated: () => void }) {
  const source = usePeople();
  const { data: tasks = [] } = useQuery(tasksQuery);
  const create = useCreateTask();
  const form = useContractForm({ schema: apiAccessTaskBody, initialValues: nobody });
  const available = source.people && filterUsersWithoutApiAccess(source.people, tasks);
  const hasNobody = available?.length === 0;
  return (
    <Form
      form={form}
      submitLabel="Create Task"
      pendingLabel="Creating Task..."
      fallbackProblem="Failed to save task"
      needsChange={hasNobody}
      onSubmit={async (body) => {
        const { title } = await create.mutateAsync({ body });
        showSuccess(`${title} was created`);
        onCreated();
      }}
    >
      <p className="quiet">
        Accepts the API requests of one user that name no task. It has no token limit; the user's quotas
        apply.
      </p>
      <PersonField source={source} available={available} {...form.bind('user_id')} />
    </Form>
  );
}

interface TaskFormDialogProps {
  task?: Task;
  isOpen: boolean;
  onClose: () => void;
}

export function TaskFormDialog({ task, isOpen, onClose }: TaskFormDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={task ? 'Edit Task' : 'Create Task'}>
      {task ? <TaskForm task={task} onSaved={onClose} /> : <CreateForms onCreated={onClose} />}
    </Dialog>
  );
}

const kinds = [
  { value: 'regular', label: 'Regular Task' },
  { value: 'api-access', label: 'API Access Task' },
] as const;

type Kind = (typeof kinds)[number]['value'];

function CreateForms({ onCreated }: { onCreated: () => void }) {
  const [kind, setKind] = useState<Kind>('regular');
  return (
    <>
      <div className={styles.kind}>
        <SegmentedSwitch label="Kind of task" options={kinds} value={kind} onChange={setKind} />
      </div>
      {kind === 'regular' ? <TaskForm onSaved={onCreated} /> : <ApiAccessForm onCreated={onCreated} />}
    </>
  );
}

interface TaskDrawerProps {
  model: DataTableModel<Task>;
  /** All tasks, because the task named in the URL may be filtered out of the list. */
  tasks: readonly Task[] | undefined;
  id: string;
  actions: TaskActions;
}

/** Drawer next to the list with a task's details and assignments. */
export function TaskDrawer({ model, tasks, id, actions }: TaskDrawerProps) {
  const task = tasks?.find((listed) => String(listed.id) === id);
  return (
    <DetailsDrawer
      model={model}
      label="Task assignments"
      heading={<h2>{task?.title ?? 'Task assignments'}</h2>}
    >
      {!tasks && <SkeletonLines count={6} />}
      {tasks && !task && (
        <EmptyState title="Task not found">This tenant has no task with the ID {id}.</EmptyState>
      )}
      {task && (
        <>
          <p className={drawerStyles.description}>{task.description}</p>
          <SpendLine spend={task} />
          <div className={drawerStyles.actions}>
            {task.is_active && !(task.is_dummy_task && task.has_assignments) && (
              <Button
                leftSection={<AddPersonIcon {...iconProps} />}
                onClick={() => actions.open('assign', task)}
              >
                {isReassignable(task) ? 'Reassign' : 'Assign user'}
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
          {!task.is_active && (
            <p className={drawerStyles.note}>This task is inactive and accepts no requests.</p>
          )}
          <TaskAssignments task={task} />
          <BudgetsSection of={{ task_id: task.id }} />
          <LabelsSection of={{ kind: 'task', id: task.id }} />
          <TaskSpend task={task} />
        </>
      )}
    </DetailsDrawer>
  );
}

const iconProps = { size: 14, strokeWidth: 1.5, 'aria-hidden': true } as const;

interface TaskOverlaysProps {
  model: DataTableModel<Task>;
  tasks: readonly Task[] | undefined;
  actions: TaskActions;
}

export function TaskOverlays({ model, tasks, actions }: TaskOverlaysProps) {
  const { open } = model.state.search;
  return (
    <>
      {open !== undefined && <TaskDrawer model={model} tasks={tasks} id={String(open)} actions={actions} />}
      <TaskFormDialog {...actions.propsOf('create')} />
      {actions.task && (
        <>
          <TaskFormDialog {...actions.propsOf('edit')} task={actions.task} />
          <AssignTaskDialog {...actions.propsOf('assign')} task={actions.task} />
          <DeleteTaskDialog {...actions.propsOf('delete')} task={actions.task} />
        </>
      )}
    </>
  );
}

function TaskSpend({ task }: { task: Task }) {
  const { data: days } = useQuery(taskDaysQuery(task.id));
  return <SpendSection name={task.title} spend={task} days={days} place={{ task: task.id }} />;
}

export function TaskAssignments({ task }: { task: Task }) {
  const assignments = useQuery(assignmentsQuery(task.id));
  const { data } = assignments;
  const actions = useAssignmentActions(task);
  const failure = describeFailure(assignments, 'Failed to load assignments');
  if (failure && !data) return <Failure {...failure} />;
  if (!data) return <SkeletonLines count={8} />;
  if (data.length === 0)
    return (
      <EmptyState title="No users are assigned to this task yet">
        Assigned users name this task in their requests. Users with only one task can omit it.
      </EmptyState>
    );
  return (
    <PanelList label={`Assignments of ${task.title}`} items={data} noun="assignments">
      {(assignment) => <AssignmentRow key={assignment.id} assignment={assignment} actions={actions} />}
    </PanelList>
  );
}

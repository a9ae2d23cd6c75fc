import { createTaskAssignmentBody, type Task, type TaskAssignment, type User } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { Form } from '#components/forms/form.tsx';
import { listPersonChoices } from '#components/forms/picker-choices.ts';
import { PickerField } from '#components/forms/picker-field.tsx';
import { SelectField } from '#components/forms/select-field.tsx';
import { TextAreaField } from '#components/forms/text-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { describeFailure, messageOf } from '#lib/describe-failure.ts';
import { filterActive, filterAssignableUsers, isReassignable } from './filter-tasks.ts';
import {
  assignmentsQuery,
  type PeopleSource,
  useAssignTask,
  useChangeAssignment,
  usePeople,
} from './queries.ts';

interface AssignTaskDialogProps {
  task: Task;
  isOpen: boolean;
  onClose: () => void;
}

export function AssignTaskDialog({ task, isOpen, onClose }: AssignTaskDialogProps) {
  const verb = isReassignable(task) ? 'Reassign' : 'Assign';
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={`${verb} Task: ${task.title}`}>
      <Assignees task={task} onAssigned={onClose} />
    </Dialog>
  );
}

interface AssigneesProps {
  task: Task;
  onAssigned: () => void;
}

function Assignees({ task, ...props }: AssigneesProps) {
  const answer = useQuery(assignmentsQuery(task.id));
  if (answer.data) return <AssignForm task={task} assignments={answer.data} {...props} />;
  const failure = describeFailure(answer, 'Failed to load assignments');
  return failure ? <Failure {...failure} /> : <SkeletonLines count={5} />;
}

const chosenPerson = createTaskAssignmentBody.omit({ task_id: true }).extend({ instead_of: z.string() });

function AssignForm({
  task,
  assignments,
  onAssigned,
}: AssigneesProps & { assignments: readonly TaskAssignment[] }) {
  const source = usePeople();
  const assign = useAssign(task);
  const working = filterActive(assignments);
  const form = useContractForm({
    schema: chosenPerson,
    initialValues: { user_id: '', progress_notes: '', instead_of: idOfOnly(working) },
  });
  const available = source.people && filterAssignableUsers(source.people, task, assignments);
  const hasNobody = available?.length === 0;
  const verb = form.values.instead_of === '' ? 'Assign' : 'Reassign';
  return (
    <Form
      form={form}
      submitLabel={`${verb} Task`}
      pendingLabel={`${verb}ing...`}
      fallbackProblem="Failed to assign task"
      needsChange={hasNobody}
      onSubmit={async ({ instead_of, ...body }) => {
        await assign(
          body,
          working.find(({ id }) => String(id) === instead_of),
        );
        onAssigned();
      }}
    >
      <PersonField source={source} available={available} {...form.bind('user_id')} />
      {!hasNobody && (
        <>
          {working.length > 0 && (
            <SelectField
              label="Instead of"
              placeholder="No one: add to the current assignees"
              options={working.map(({ id, user_name }) => ({ value: id, label: user_name }))}
              {...form.bind('instead_of')}
            />
          )}
          <TextAreaField label="Progress notes" {...form.bind('progress_notes')} />
        </>
      )}
    </Form>
  );
}

/** Returns the only assignee of a task, who is preselected for replacement. */
const idOfOnly = ([first, ...others]: readonly TaskAssignment[]) =>
  first && others.length === 0 ? String(first.id) : '';

/** Assigns the task before it unassigns the previous user, so that a failed assignment changes nothing. */
function useAssign({ id, title }: Task) {
  const assign = useAssignTask();
  const change = useChangeAssignment();
  return async (
    body: { user_id: number; progress_notes: string },
    replaced: TaskAssignment | undefined,
  ): Promise<void> => {
    const { user_name } = await assign.mutateAsync({ body: { ...body, task_id: id } });
    if (!replaced) return showSuccess(`${user_name} is assigned to ${title}`);
    try {
      await change.mutateAsync({ assignment: replaced, status: 'cancelled' });
      showSuccess(`${user_name} is assigned to ${title} instead of ${replaced.user_name}`);
    } catch (error) {
      showError(messageOf(error, `Failed to unassign ${replaced.user_name}`));
    }
  };
}

interface PersonFieldProps {
  source: PeopleSource;
  /** `undefined` while loading. */
  available: readonly User[] | undefined;
  value?: string;
  onChange: (value: string) => void;
}

export function PersonField({ source, available, ...field }: PersonFieldProps) {
  if (available?.length === 0) return <StatusMark kind="off">No available users found</StatusMark>;
  return (
    <PickerField
      label="User"
      placeholder="Search users by name or email..."
      emptyText="No available users found"
      source={{
        choices: available && listPersonChoices(available),
        problem: source.problem,
        onRetry: source.onRetry,
      }}
      data-autofocus
      {...field}
    />
  );
}

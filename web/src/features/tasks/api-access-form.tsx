import { apiAccessTaskBody } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Form } from '../../components/forms/form.tsx';
import { useContractForm } from '../../components/forms/use-contract-form.ts';
import { showSuccess } from '../../components/ui/toasts.tsx';
import { findPeopleWithoutApiAccess } from './find.ts';
import type { PeopleSource } from './people-source.ts';
import { PersonField } from './person-field.tsx';
import { tasksQuery, useCreateTask } from './queries.ts';

const nobody: { is_dummy_task: true; user_id: string } = { is_dummy_task: true, user_id: '' };

/** Creates and assigns the API access task of a user. */
export function ApiAccessForm({
  people: source,
  onCreated,
}: {
  people: PeopleSource;
  onCreated: () => void;
}) {
  const { data: tasks = [] } = useQuery(tasksQuery);
  const create = useCreateTask();
  const form = useContractForm({ schema: apiAccessTaskBody, initialValues: nobody });
  const available = source.people && findPeopleWithoutApiAccess(source.people, tasks);
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

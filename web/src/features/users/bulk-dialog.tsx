import { changeUsersBody, idsMax, type User } from '@sluice/contract';
import { useState } from 'react';
import type { z } from 'zod';
import type { Selection } from '#components/data-table/use-table-state.ts';
import { Form } from '#components/forms/form.tsx';
import { TextAreaField } from '#components/forms/text-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { FailureList } from '#components/ui/failure-list.tsx';
import { RecentUse } from '#components/ui/recent-use.tsx';
import { showSuccess } from '#components/ui/toasts.tsx';
import { AccessField, type AccessFieldName, QuotaFields } from '#features/access-setup/index.ts';
import { explainedError } from '#lib/describe-failure.ts';
import { formatQuantity } from '#lib/format-number.ts';
import { useChangeUsers } from './queries.ts';

const { change } = changeUsersBody.shape;
export type BulkKind = z.output<typeof change>['kind'];

const changes: Readonly<
  Record<BulkKind, { title: string; submit: string; pending: string; initial: Record<string, unknown> }>
> = {
  limits: {
    title: 'Set limits',
    submit: 'Set limits',
    pending: 'Setting Limits...',
    initial: { daily_quota: undefined, monthly_quota: undefined, requests_per_hour: undefined },
  },
  team: { title: 'Add to team', submit: 'Add to team', pending: 'Adding...', initial: { team_id: '' } },
  task: { title: 'Assign task', submit: 'Assign task', pending: 'Assigning...', initial: { task_id: '' } },
  models: {
    title: 'Grant models',
    submit: 'Grant models',
    pending: 'Granting...',
    initial: { llm_provider_id: '' },
  },
  block: { title: 'Block', submit: 'Block users', pending: 'Blocking...', initial: { reason: '' } },
  unblock: { title: 'Unblock', submit: 'Unblock users', pending: 'Unblocking...', initial: {} },
};

interface BulkDialogProps {
  kind: BulkKind;
  selection: Selection<User>;
  isOpen: boolean;
  onClose: () => void;
}

/** Users who could not be changed remain selected. */
export function BulkDialog({ kind, selection, isOpen, onClose }: BulkDialogProps) {
  const title = `${changes[kind].title}: ${formatQuantity(selection.rows.length, 'user')}`;
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      <BulkForm kind={kind} selection={selection} onDone={onClose} />
    </Dialog>
  );
}

interface Failure {
  readonly user: User;
  readonly reason: string;
}

type BulkFormProps = Omit<BulkDialogProps, 'isOpen' | 'onClose'> & { onDone: () => void };

function BulkForm({ kind, selection, onDone }: BulkFormProps) {
  const { submit, pending, initial } = changes[kind];
  const [failures, setFailures] = useState<readonly Failure[]>([]);
  const send = useChangeUsers();
  const form = useContractForm({ schema: change, initialValues: { kind, ...initial } });
  const save = async (wanted: z.output<typeof change>) => {
    const users = selection.rows;
    const outcomes = await send.mutateAsync({ user_ids: users.map(({ id }) => id), change: wanted });
    const failed = outcomes.flatMap(({ index, error }) => {
      const user = users[index];
      return user && error !== null ? [{ user, reason: error }] : [];
    });
    const doneCount = users.length - failed.length;
    if (doneCount > 0) showSuccess(`${formatQuantity(doneCount, 'user')} changed`);
    selection.replace(failed.map(({ user }) => user));
    if (failed.length === 0) return onDone();
    setFailures(failed);
    throw explainedError(
      `${formatQuantity(failed.length, 'user')} could not be changed and ${failed.length === 1 ? 'stays' : 'stay'} selected.`,
    );
  };
  return (
    <Form
      form={form}
      submitLabel={submit}
      pendingLabel={pending}
      fallbackProblem="Failed to change users"
      isDanger={kind === 'block'}
      onSubmit={save}
    >
      <BulkFields kind={kind} bind={form.bind} />
      {kind === 'block' && selection.rows.length <= idsMax && (
        <RecentUse of={{ user_id: selection.rows.map(({ id }) => id) }} />
      )}
      <FailureList
        label="Users that could not be changed"
        failures={failures.map(({ user, reason }) => ({ name: user.name, reason }))}
      />
    </Form>
  );
}

const accessFields: Partial<Record<BulkKind, AccessFieldName>> = {
  team: 'team_id',
  task: 'task_id',
  models: 'llm_provider_id',
};

interface BulkFieldsProps {
  kind: BulkKind;
  bind: (name: string) => object;
}

function BulkFields({ kind, bind }: BulkFieldsProps) {
  const access = accessFields[kind];
  if (access) return <AccessField name={access} {...bind(access)} />;
  if (kind === 'limits') return <QuotaFields bind={bind} emptyMeans="unchanged" />;
  if (kind === 'block') {
    return (
      <>
        <p>
          All requests of these users will be rejected, by API key and in the chat. Each user sees the reason.
        </p>
        <TextAreaField label="Reason" data-autofocus {...bind('reason')} />
      </>
    );
  }
  return <p>Their requests are accepted again. Open appeals are granted.</p>;
}

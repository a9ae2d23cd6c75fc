import { Button, FileButton } from '@mantine/core';
import { bulkRowsMax, createInvitationBody } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { z } from 'zod';
import { CheckboxField } from '#components/forms/checked-fields.tsx';
import { Form } from '#components/forms/form.tsx';
import { TextAreaField } from '#components/forms/text-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { useDialogClose } from '#components/ui/dialog-layer.ts';
import { FailureList, type FailureListProps } from '#components/ui/failure-list.tsx';
import { showSuccess } from '#components/ui/toasts.tsx';
import { AccessField, accessOptionsQuery, QuotaFields } from '#features/access-setup/index.ts';
import { RoleNameField } from '#features/roles/index.ts';
import { explainedError } from '#lib/describe-failure.ts';
import { formatQuantity } from '#lib/format-number.ts';
import styles from './invite-many.module.css';
import { useInviteMany } from './queries.ts';
import { type InvitationRow, type InvitationRows, readInvitationRows } from './read-rows.ts';

const { email: _email, ...shared } = createInvitationBody.shape;
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema);
const manyForm = z.object({
  ...shared,
  task_id: optional(shared.task_id),
  team_id: optional(shared.team_id),
  llm_provider_id: optional(shared.llm_provider_id),
  addresses: z.string().trim().min(1, 'Enter at least one email address'),
});

const nothing = {
  addresses: '',
  role: 'user',
  daily_quota: undefined as number | undefined,
  monthly_quota: undefined as number | undefined,
  requests_per_hour: undefined as number | undefined,
  task_id: '',
  has_api_access: false,
  team_id: '',
  llm_provider_id: '',
};

const noOptions = { tasks: [], teams: [], providers: [] };

/** Rejected rows remain in the form with the reason. */
export function InviteManyForm({ onDone }: { onDone: () => void }) {
  const { data: options = noOptions, isPending } = useQuery(accessOptionsQuery);
  const [failures, setFailures] = useState<FailureListProps['failures']>([]);
  const invite = useInviteMany();
  const form = useContractForm({ schema: manyForm, initialValues: nothing });
  const { rows } = readInvitationRows(form.values.addresses, toShared(form.values), options);
  const validCount = rows.filter(({ problem }) => problem === null).length;
  return (
    <Form
      form={form}
      submitLabel={validCount > 1 ? `Send ${validCount} Invitations` : 'Send Invitations'}
      pendingLabel="Sending Invitations..."
      fallbackProblem="Failed to send invitations"
      needsChange={isPending}
      onSubmit={async ({ addresses: text, ...given }) => {
        const wanted = readInvitationRows(text, given, options);
        const rejected = await send(wanted.rows, invite.mutateAsync);
        const sentCount = wanted.rows.length - rejected.length;
        if (sentCount > 0) showSuccess(`${formatQuantity(sentCount, 'invitation')} sent`);
        if (rejected.length === 0) return onDone();
        form.setValue('addresses', keep(wanted, rejected));
        setFailures(rejected.map(({ row, reason }) => ({ name: row.email || 'No address', reason })));
        throw explainedError(
          `${formatQuantity(rejected.length, 'row')} failed and stayed in the list. ${formatQuantity(sentCount, 'invitation')} sent.`,
        );
      }}
    >
      <AddressesField form={form} rows={rows} />
      <FailureList label="Failed rows" failures={failures} />
      <RoleNameField {...form.bind('role')} />
      <QuotaFields bind={form.bind} emptyMeans="default" />
      <AccessField name="task_id" none="No task" {...form.bind('task_id')} />
      <CheckboxField
        label="API access"
        description="Accepts requests without a task."
        {...form.bindChecked('has_api_access')}
      />
      <AccessField name="team_id" none="No team" {...form.bind('team_id')} />
      <AccessField
        name="llm_provider_id"
        none="No individual model access"
        {...form.bind('llm_provider_id')}
      />
      <p className="quiet">
        Access is given when an invitation is accepted. An invitation expires after 7 days; until then it can
        be resent or cancelled. Deliveries and links are in the <OutboxLink />.
      </p>
    </Form>
  );
}

function OutboxLink() {
  const close = useDialogClose();
  return (
    <Link to="/admin/outbox" onClick={close}>
      Outbox
    </Link>
  );
}

const toShared = ({ addresses: _addresses, ...given }: typeof nothing) =>
  Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== '' && value !== undefined && value !== false),
  );

interface Rejected {
  readonly row: InvitationRow;
  readonly reason: string;
}

/** Returns the invalid rows and the rows that the server rejected. */
async function send(
  rows: readonly InvitationRow[],
  invite: (bodies: Record<string, unknown>[]) => Promise<readonly { index: number; error: string | null }[]>,
): Promise<readonly Rejected[]> {
  const valid = rows.filter(({ problem }) => problem === null);
  const invalid = rows.flatMap((row) => (row.problem === null ? [] : [{ row, reason: row.problem }]));
  if (valid.length > bulkRowsMax)
    throw explainedError(
      `At most ${bulkRowsMax} invitations can be sent at once; the list has ${valid.length}.`,
    );
  if (valid.length === 0) return invalid;
  const outcomes = await invite(valid.map(({ body }) => body));
  const refused = outcomes.flatMap(({ index, error }) => {
    const row = valid[index];
    return row && error !== null ? [{ row, reason: error }] : [];
  });
  return [...invalid, ...refused];
}

/** A CSV header remains the first line. */
const keep = ({ header }: InvitationRows, rejected: readonly Rejected[]) =>
  [...(header === null ? [] : [header]), ...rejected.map(({ row }) => row.text)].join('\n');

interface AddressesFieldProps {
  form: Pick<ReturnType<typeof useContractForm<typeof nothing, typeof manyForm>>, 'bind' | 'setValue'>;
  rows: readonly InvitationRow[];
}

function AddressesField({ form, rows }: AddressesFieldProps) {
  const invalid = rows.filter(({ problem }) => problem !== null);
  const [first] = invalid;
  return (
    <div className={styles.addresses}>
      <TextAreaField
        label="Email addresses"
        placeholder={'ada@example.com\nbob@example.com'}
        autosize
        minRows={4}
        maxRows={12}
        data-autofocus
        spellCheck={false}
        {...form.bind('addresses')}
      />
      <div className={styles.line}>
        <span className="num" role="status">
          {rows.length > 0 && formatQuantity(rows.length - invalid.length, 'invitation')}
          {first &&
            `, ${formatQuantity(invalid.length, 'problem')}. ${first.email || 'No address'}: ${first.problem}`}
        </span>
        <FileButton
          accept=".csv,.txt,text/csv,text/plain"
          onChange={async (file) => file && form.setValue('addresses', await file.text())}
        >
          {(props) => (
            <Button variant="default" {...props}>
              Load CSV file
            </Button>
          )}
        </FileButton>
      </div>
      <p className="quiet">
        Separate addresses with line breaks, commas or spaces. The first line of a CSV file has the columns
        email, role, daily_quota, monthly_quota, requests_per_hour, task, team, models; only email is
        required.
      </p>
    </div>
  );
}

import { grantUserAccessBody } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { ChecklistField } from '#components/forms/checklist-field.tsx';
import { Form } from '#components/forms/form.tsx';
import { listPersonChoices } from '#components/forms/picker-choices.ts';
import { ChipsPickerField } from '#components/forms/picker-field.tsx';
import { SelectField } from '#components/forms/select-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { SegmentedSwitch } from '#components/ui/segmented-switch.tsx';
import { showSuccess } from '#components/ui/toasts.tsx';
import { explainedError } from '#lib/describe-failure.ts';
import { formatQuantity } from '#lib/format-number.ts';
import { providerNameOf } from '#lib/provider-registry.ts';
import { describeModels } from './columns.tsx';
import styles from './grant-dialog.module.css';
import {
  grantableProvidersQuery,
  listTeamChoices,
  providerAccess,
  useAccessChange,
  useTeams,
  useUsers,
} from './queries.ts';

type GrantHolder = 'user' | 'team';

const { llm_provider_id, allowed_models } = grantUserAccessBody.shape;
const holderIds = (problem: string) => z.array(z.string()).min(1, problem);

const grant = z.discriminatedUnion('holder', [
  z.object({
    holder: z.literal('user'),
    holder_ids: holderIds('Please select a user'),
    llm_provider_id,
    allowed_models,
  }),
  z.object({
    holder: z.literal('team'),
    holder_ids: holderIds('Please select a team'),
    llm_provider_id,
    allowed_models,
  }),
]);

interface Grant extends Record<string, unknown> {
  holder: GrantHolder;
  holder_ids: string[];
  llm_provider_id: string;
  allowed_models: string[];
}

const noGrant: Grant = { holder: 'user', holder_ids: [], llm_provider_id: '', allowed_models: [] };

export interface GrantOutcome {
  grantedCount: number;
  failures: readonly { holderId: string; error: Error }[];
}

type Wanted = z.output<typeof grant>;

/** Sends a single request for one user or team, a bulk request for several. */
function useGrant(): (wanted: Wanted) => Promise<GrantOutcome> {
  return useAccessChange((wanted: Wanted) => send(wanted)).mutateAsync;
}

async function send({ holder, holder_ids, ...what }: Wanted): Promise<GrantOutcome> {
  const [first, ...others] = holder_ids;
  if (first !== undefined && others.length === 0) {
    if (holder === 'user') await providerAccess.grantUserAccess({ body: { user_id: first, ...what } });
    else await providerAccess.grantTeamAccess({ body: { team_id: first, ...what } });
    return { grantedCount: 1, failures: [] };
  }
  const outcomes =
    holder === 'user'
      ? await providerAccess.grantUserAccesses({
          body: { accesses: holder_ids.map((user_id) => ({ user_id, ...what })) },
        })
      : await providerAccess.grantTeamAccesses({
          body: { accesses: holder_ids.map((team_id) => ({ team_id, ...what })) },
        });
  const failures = outcomes.flatMap(({ index, error }) =>
    error === null ? [] : [{ holderId: holder_ids[index] ?? '', error: explainedError(error) }],
  );
  return { grantedCount: holder_ids.length - failures.length, failures };
}

function describeGrant({ grantedCount }: GrantOutcome, { holder, allowed_models }: Wanted): string {
  const holders = formatQuantity(grantedCount, holder);
  return `Access to ${describeModels(allowed_models.length)} granted to ${holders}`;
}

interface GrantDialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** Preselected user or team. */
  holder: GrantHolder;
  providerId: number | undefined;
}

export function GrantDialog({ isOpen, onClose, ...chosen }: GrantDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Grant Provider Access" size="lg">
      <GrantForm {...chosen} onGranted={onClose} />
    </Dialog>
  );
}

interface GrantFormProps extends Pick<GrantDialogProps, 'holder' | 'providerId'> {
  onGranted: () => void;
}

function GrantForm({ holder, providerId, onGranted }: GrantFormProps) {
  const { data: providers } = useQuery(grantableProvidersQuery);
  const form = useContractForm<Grant, typeof grant>({
    schema: grant,
    initialValues: { ...noGrant, holder, llm_provider_id: String(providerId ?? '') },
  });
  const send = useGrant();
  const { values, setValue, bind } = form;
  const chosen = providers?.find(({ id }) => String(id) === values.llm_provider_id);
  const providerField = bind('llm_provider_id');
  const chooseHolder = (next: GrantHolder) => {
    setValue('holder', next);
    setValue('holder_ids', []);
  };
  return (
    <Form
      form={form}
      submitLabel="Grant Access"
      pendingLabel="Granting..."
      fallbackProblem="Failed to create access"
      onSubmit={async (wanted) => {
        const outcome = await send(wanted);
        if (outcome.grantedCount > 0) showSuccess(describeGrant(outcome, wanted));
        if (outcome.failures.length === 0) return onGranted();
        const failedIds = outcome.failures.map(({ holderId }) => holderId);
        setValue('holder_ids', failedIds);
        throw outcome.failures[0]?.error;
      }}
    >
      <div className={styles.holder}>
        <SegmentedSwitch label="Grant to" options={holders} value={values.holder} onChange={chooseHolder} />
        <HolderField key={values.holder} holder={values.holder} {...bind('holder_ids')} />
      </div>
      <ProviderField
        {...providerField}
        onChange={(event) => {
          providerField.onChange(event);
          setValue('allowed_models', []);
        }}
      />
      <ChecklistField
        label="Models"
        options={chosen?.enabled_models ?? []}
        emptyText={chosen ? 'No models are enabled for this provider' : 'Select a provider to see its models'}
        {...bind('allowed_models')}
      />
    </Form>
  );
}

interface ProviderFieldProps {
  value?: string;
  onChange: (value: string) => void;
}

function ProviderField(props: ProviderFieldProps) {
  const { data: providers, error } = useQuery(grantableProvidersQuery);
  return (
    <SelectField
      label="Provider"
      placeholder="Select a provider"
      options={(providers ?? []).map(({ id, provider_key, provider_instance_name, is_active }) => ({
        value: id,
        label: `${provider_instance_name} (${providerNameOf(provider_key)})`,
        note: is_active ? undefined : 'Inactive',
        isDisabled: !is_active,
      }))}
      isLoading={!providers && !error}
      loadingText="Loading providers..."
      {...props}
    />
  );
}

const holders = [
  { value: 'user', label: 'User' },
  { value: 'team', label: 'Team' },
] as const;

interface HolderFieldProps {
  holder: GrantHolder;
  value?: string[];
  onChange: (value: string[]) => void;
}

function HolderField({ holder, ...props }: HolderFieldProps) {
  const { data: users, ...userSource } = useUsers(holder === 'user');
  const { data: teams, ...teamSource } = useTeams(holder === 'team');
  return holder === 'user' ? (
    <ChipsPickerField
      label="Users"
      placeholder="Search users by name or email..."
      emptyText="No users found"
      source={{ choices: users && listPersonChoices(users), ...userSource }}
      data-autofocus
      {...props}
    />
  ) : (
    <ChipsPickerField
      label="Teams"
      placeholder="Search teams by name..."
      emptyText="No teams found"
      source={{ choices: teams && listTeamChoices(teams), ...teamSource }}
      {...props}
    />
  );
}

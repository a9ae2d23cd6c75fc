import {
  type CurrentUser,
  createManagementTokenOfBody,
  type ManagementScope,
  managementTokenDays,
  type RoleName,
  scopesOfRole,
} from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod';
import { Form } from '#components/forms/form.tsx';
import { SelectField } from '#components/forms/select-field.tsx';
import { TextField } from '#components/forms/text-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { FocusedSection } from '#components/ui/focused-section.tsx';
import { SecretPanel } from '#components/ui/secret-panel.tsx';
import { showSuccess } from '#components/ui/toasts.tsx';
import { owningAccountsQuery, useCreateManagementToken } from './queries.ts';
import { ScopesField } from './scopes-field.tsx';

const dayMs = 24 * 3_600_000;

const lifetimes = [
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: String(managementTokenDays.default), label: 'In 90 days' },
  { value: '180', label: 'In 180 days' },
  { value: '365', label: 'In a year' },
];

const { name, scopes } = createManagementTokenOfBody.shape;

/** Selects the viewer in the owner field. */
const viewerId = 'viewer';

const tokenForm = z.object({
  service_account_id: z.string().transform((id) => (id === viewerId ? undefined : Number(id))),
  name,
  expires_at: z.string().transform((days) => new Date(Date.now() + Number(days) * dayMs).toISOString()),
  scopes,
});

export interface TokenOwner {
  readonly id: number;
  readonly name: string;
  readonly role: RoleName;
}

interface TokenDialogProps {
  viewer: Pick<CurrentUser, 'role'>;
  /** If absent, the form has an owner field. */
  owner?: TokenOwner | undefined;
  isOpen: boolean;
  onClose: () => void;
}

/** Shows the secret once. */
export function TokenDialog({ isOpen, onClose, ...props }: TokenDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Create management token">
      <TokenForm {...props} onDone={onClose} />
    </Dialog>
  );
}

type TokenFormProps = Pick<TokenDialogProps, 'viewer' | 'owner'> & { onDone: () => void };

function TokenForm({ viewer, owner, onDone }: TokenFormProps) {
  const [secret, setSecret] = useState<string | null>(null);
  const create = useCreateManagementToken();
  const { data: accounts = owner ? [owner] : [], isPending } = useQuery(owningAccountsQuery);
  const form = useContractForm({
    schema: tokenForm,
    initialValues: {
      service_account_id: String(owner?.id ?? viewerId),
      name: '',
      expires_at: String(managementTokenDays.default),
      scopes: [] as ManagementScope[],
    },
  });
  const scopesOf = (id: string) =>
    scopesOfRole(accounts.find((account) => String(account.id) === id)?.role ?? viewer.role.name);
  const offered = scopesOf(form.values.service_account_id);
  const chooseOwner = (id: string) => {
    form.setValue('service_account_id', id);
    const kept = scopesOf(id);
    form.setValue(
      'scopes',
      form.values.scopes.filter((scope) => kept.includes(scope)),
    );
  };
  if (secret !== null) return <NewToken secret={secret} onStored={onDone} />;
  return (
    <Form
      form={form}
      submitLabel="Create token"
      pendingLabel="Creating..."
      fallbackProblem="Failed to create the management token"
      onSubmit={async (body) => setSecret((await create.mutateAsync({ body })).token)}
    >
      <TextField label="Name" placeholder="Nightly report" data-autofocus {...form.bind('name')} />
      <OwnerField
        accounts={accounts}
        isFixed={owner !== undefined}
        isLoading={!owner && isPending}
        {...form.bind('service_account_id')}
        onChange={chooseOwner}
      />
      <SelectField label="Expires" options={lifetimes} {...form.bind('expires_at')} />
      <ScopesField offered={offered} {...form.bind('scopes')} />
    </Form>
  );
}

interface OwnerFieldProps extends Omit<Parameters<typeof SelectField>[0], 'options'> {
  accounts: readonly Pick<TokenOwner, 'id' | 'name'>[];
  isFixed: boolean;
}

function OwnerField({ accounts, isFixed, ...props }: OwnerFieldProps) {
  return (
    <SelectField
      label="Owner"
      description="Calls are made as the owner, with the owner's role. Tokens of a service account keep working when you leave."
      options={[
        ...(isFixed ? [] : [{ value: viewerId, label: 'You' }]),
        ...accounts.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      disabled={isFixed}
      {...props}
    />
  );
}

function NewToken({ secret, onStored }: { secret: string; onStored: () => void }) {
  return (
    <FocusedSection label="New management token">
      <SecretPanel
        secret={secret}
        label="management token"
        variable="SLUICE_MANAGEMENT_TOKEN"
        warning="This token is shown only once. Copy it now and keep it in a safe place."
        onStored={onStored}
        onCopied={() => showSuccess('Management token copied to clipboard!')}
      />
    </FocusedSection>
  );
}

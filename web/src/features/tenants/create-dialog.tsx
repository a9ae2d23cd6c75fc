import { createTenantBody, deriveSlug, type TenantDetails } from '@sluice/contract';
import { useState } from 'react';
import { Form } from '#components/forms/form.tsx';
import { EmailField, TextField } from '#components/forms/text-field.tsx';
import { type ContractForm, useContractForm } from '#components/forms/use-contract-form.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { PasswordField } from '#components/ui/password-field.tsx';
import { SegmentedSwitch } from '#components/ui/segmented-switch.tsx';
import { showSuccess } from '#components/ui/toasts.tsx';
import { LinkHandover } from '#features/outbox/index.ts';
import styles from './first-administrator-fields.module.css';
import { LimitFields } from './limit-fields.tsx';
import { useCreateTenant } from './queries.ts';

interface AdministratorValues {
  administrator_email: string;
  /** `undefined` if the administrator is invited. */
  administrator_name: string | undefined;
  administrator_password: string | undefined;
}

const ways = [
  { value: 'invitation', label: 'Send an invitation' },
  { value: 'account', label: 'Create account' },
] as const;

interface FirstAdministratorFieldsProps {
  form: Pick<ContractForm<AdministratorValues, unknown>, 'values' | 'bind' | 'setValue'>;
}

/** The administrator is invited or created directly. */
function FirstAdministratorFields({ form }: FirstAdministratorFieldsProps) {
  const way = form.values.administrator_name === undefined ? 'invitation' : 'account';
  const chooseWay = (chosen: typeof way) => {
    const start = chosen === 'account' ? '' : undefined;
    form.setValue('administrator_name', start);
    form.setValue('administrator_password', start);
  };
  return (
    <fieldset className={styles.administrator}>
      <legend>First administrator</legend>
      <SegmentedSwitch
        label="How the first administrator gets an account"
        options={ways}
        value={way}
        onChange={chooseWay}
      />
      <EmailField label="Email" {...form.bind('administrator_email')} autoComplete="off" />
      {way === 'account' && (
        <>
          <TextField label="Full Name" {...form.bind('administrator_name')} />
          <PasswordField
            label="Password"
            placeholder="Min. 6 characters"
            autoComplete="new-password"
            {...form.bind('administrator_password')}
          />
        </>
      )}
    </fieldset>
  );
}

interface CreateTenantDialogProps {
  isOpen: boolean;
  onClose: () => void;
}

export function CreateTenantDialog({ isOpen, onClose }: CreateTenantDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Create tenant">
      <CreateTenantSteps onDone={onClose} />
    </Dialog>
  );
}

interface Invited {
  tenantId: number;
  address: string;
}

/** Shows the invitation link for the administrator afterwards. */
function CreateTenantSteps({ onDone }: { onDone: () => void }) {
  const [invited, setInvited] = useState<Invited | null>(null);
  if (invited) return <LinkHandover {...invited} onDone={onDone} />;
  return (
    <CreateTenantForm
      onCreated={({ id, name }, address) => {
        showSuccess(`${name} was created`);
        if (address === null) onDone();
        else setInvited({ tenantId: id, address });
      }}
    />
  );
}

interface CreateTenantFormProps {
  /** Called with the email of the invited administrator, or `null` if the account was created directly. */
  onCreated: (tenant: TenantDetails, invitedAddress: string | null) => void;
}

const nothing = {
  name: '',
  slug: undefined as string | undefined,
  plan_id: null as string | null,
  user_limit: null as number | null,
  admin_limit: null as number | null,
  administrator_email: '',
  administrator_name: undefined as string | undefined,
  administrator_password: undefined as string | undefined,
};

function CreateTenantForm({ onCreated }: CreateTenantFormProps) {
  const create = useCreateTenant();
  const form = useContractForm({ schema: createTenantBody, initialValues: nothing });
  const { name, slug } = form.values;
  return (
    <Form
      form={form}
      submitLabel="Create tenant"
      pendingLabel="Creating Tenant..."
      fallbackProblem="Failed to create tenant"
      onSubmit={async (body) => {
        const tenant = await create.mutateAsync({ body });
        onCreated(tenant, body.administrator_name === undefined ? body.administrator_email : null);
      }}
    >
      <TextField label="Name" placeholder="Acme GmbH" data-autofocus {...form.bind('name')} />
      <TextField
        label="Slug"
        description="Identifies the tenant in URLs and headers"
        leftSection="@"
        {...form.bind('slug')}
        value={slug ?? deriveSlug(name)}
      />
      <LimitFields form={form} />
      <FirstAdministratorFields form={form} />
    </Form>
  );
}

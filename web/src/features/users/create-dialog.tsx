import { createUserBody, userRole } from '@sluice/contract';
import { Form } from '../../components/forms/form.tsx';
import { EmailField, TextField } from '../../components/forms/text-field.tsx';
import { useContractForm } from '../../components/forms/use-contract-form.ts';
import { Dialog } from '../../components/ui/dialog.tsx';
import { PasswordField } from '../../components/ui/password-field.tsx';
import { showSuccess } from '../../components/ui/toasts.tsx';
import { useCreateUser } from './queries.ts';
import { QuotaFields } from './quota-fields.tsx';
import type { RoleSlot } from './role-slot.ts';

interface CreateUserDialogProps {
  isOpen: boolean;
  onClose: () => void;
  roleField: RoleSlot;
}

export function CreateUserDialog({ isOpen, onClose, roleField }: CreateUserDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Create User">
      <CreateUserForm onCreated={onClose} roleField={roleField} />
    </Dialog>
  );
}

function CreateUserForm({ onCreated, roleField }: { onCreated: () => void; roleField: RoleSlot }) {
  const create = useCreateUser();
  const form = useContractForm({
    schema: createUserBody,
    initialValues: {
      email: '',
      name: '',
      password: '',
      role_id: String(userRole.id),
      daily_quota: undefined,
      monthly_quota: undefined,
      requests_per_hour: undefined,
    },
  });
  return (
    <Form
      form={form}
      submitLabel="Create User"
      pendingLabel="Creating User..."
      onSubmit={async (body) => {
        const { name } = await create.mutateAsync({ body });
        showSuccess(`${name} was created`);
        onCreated();
      }}
    >
      <EmailField label="Email" data-autofocus {...form.bind('email')} autoComplete="off" />
      <TextField label="Full Name" {...form.bind('name')} />
      <PasswordField
        label="Password"
        placeholder="Min. 6 characters"
        autoComplete="new-password"
        {...form.bind('password')}
      />
      {roleField(form.bind('role_id'))}
      <QuotaFields bind={form.bind} emptyMeans="absent" />
    </Form>
  );
}

import { createUserBody, type User, userRole } from '@sluice/contract';
import { type ReactNode, useState } from 'react';
import { CheckboxField } from '#components/forms/checked-fields.tsx';
import { Form } from '#components/forms/form.tsx';
import { EmailField, TextField } from '#components/forms/text-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { PasswordField } from '#components/ui/password-field.tsx';
import { showSuccess } from '#components/ui/toasts.tsx';
import { QuotaFields, type RoleSlot } from './form-fields.tsx';
import { useCreateUser } from './queries.ts';

interface CreateUserDialogProps {
  isOpen: boolean;
  onClose: () => void;
  roleField: RoleSlot;
  accessSetup: AccessSlot;
}

export function CreateUserDialog({ isOpen, onClose, ...slots }: CreateUserDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Create User">
      <CreateUserSteps onDone={onClose} {...slots} />
    </Dialog>
  );
}

interface CreateUserStepsProps {
  onDone: () => void;
  roleField: RoleSlot;
  accessSetup: AccessSlot;
}

/** Creates a user, then optionally sets up access. */
function CreateUserSteps({ onDone, roleField, accessSetup }: CreateUserStepsProps) {
  const [created, setCreated] = useState<User | null>(null);
  const [givesAccess, setGivesAccess] = useState(false);
  if (created) return accessSetup(created, onDone);
  return (
    <CreateUserForm onCreated={(user) => (givesAccess ? setCreated(user) : onDone())} roleField={roleField}>
      <CheckboxField
        label="Then give access"
        description="A task or API access, models by a team or a grant, and an API key, with a first request to copy."
        checked={givesAccess}
        onChange={({ currentTarget }) => setGivesAccess(currentTarget.checked)}
      />
    </CreateUserForm>
  );
}

interface CreateUserFormProps {
  onCreated: (user: User) => void;
  roleField: RoleSlot;
  children: ReactNode;
}

function CreateUserForm({ onCreated, roleField, children }: CreateUserFormProps) {
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
        const user = await create.mutateAsync({ body });
        showSuccess(`${user.name} was created`);
        onCreated(user);
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
      {children}
    </Form>
  );
}

/** Access set-up of a user, passed in by the page because it belongs to another feature. */
export type AccessSlot = (user: User, onDone: () => void) => ReactNode;

interface AccessDialogProps {
  isOpen: boolean;
  onClose: () => void;
  user: User;
  accessSetup: AccessSlot;
}

export function AccessDialog({ isOpen, onClose, user, accessSetup }: AccessDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={`Give access to ${user.name}`}>
      {accessSetup(user, onClose)}
    </Dialog>
  );
}

import { createUserBody, type User, userRole } from '@sluice/contract';
import { type ReactNode, useState } from 'react';
import { CheckboxField } from '#components/forms/checked-fields.tsx';
import { Form } from '#components/forms/form.tsx';
import { EmailField, TextField } from '#components/forms/text-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { PasswordField } from '#components/ui/password-field.tsx';
import { showSuccess } from '#components/ui/toasts.tsx';
import { AccessSetup, QuotaFields } from '#features/access-setup/index.ts';
import { RoleField } from '#features/roles/index.ts';
import { useCreated } from '#lib/use-created.ts';
import { useCreateUser } from './queries.ts';

interface CreateUserDialogProps {
  isOpen: boolean;
  onClose: () => void;
}

export function CreateUserDialog({ isOpen, onClose }: CreateUserDialogProps) {
  const [created, setCreated] = useCreated<User>(isOpen);
  const title = created ? `User created: give access to ${created.name}` : 'Create User';
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      {created ? (
        <AccessSetup user={created} onDone={onClose} />
      ) : (
        <CreateUserStep onGiveAccess={setCreated} onDone={onClose} />
      )}
    </Dialog>
  );
}

interface CreateUserStepProps {
  /** Called if access is to be set up next. */
  onGiveAccess: (user: User) => void;
  onDone: () => void;
}

function CreateUserStep({ onGiveAccess, onDone }: CreateUserStepProps) {
  const [givesAccess, setGivesAccess] = useState(false);
  return (
    <CreateUserForm onCreated={(user) => (givesAccess ? onGiveAccess(user) : onDone())}>
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
  children: ReactNode;
}

function CreateUserForm({ onCreated, children }: CreateUserFormProps) {
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
      <RoleField {...form.bind('role_id')} />
      <QuotaFields bind={form.bind} emptyMeans="default" />
      {children}
    </Form>
  );
}

interface AccessDialogProps {
  isOpen: boolean;
  onClose: () => void;
  user: User;
}

export function AccessDialog({ isOpen, onClose, user }: AccessDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={`Give access to ${user.name}`}>
      <AccessSetup user={user} onDone={onClose} />
    </Dialog>
  );
}

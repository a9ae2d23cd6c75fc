import { type User, updateUserBody } from '@sluice/contract';
import type { z } from 'zod';
import { CheckboxField } from '#components/forms/checked-fields.tsx';
import { Form } from '#components/forms/form.tsx';
import { EmailField, TextField } from '#components/forms/text-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { showSuccess } from '#components/ui/toasts.tsx';
import { QuotaFields } from '#features/access-setup/index.ts';
import { RoleField } from '#features/roles/index.ts';
import { useUpdateUser } from './queries.ts';

interface EditUserFormProps {
  user: User;
  /** Whether the viewer edits their own account. Role and status are then locked. */
  isSelf: boolean;
}

interface EditUserDialogProps extends EditUserFormProps {
  isOpen: boolean;
  onClose: () => void;
}

export function EditUserDialog({ isOpen, onClose, ...props }: EditUserDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Edit User">
      <EditUserForm {...props} onSaved={onClose} />
    </Dialog>
  );
}

function EditUserForm({ user, isSelf, onSaved }: EditUserFormProps & { onSaved: () => void }) {
  const update = useUpdateUser();
  const form = useContractForm({
    schema: updateUserBody,
    initialValues: {
      email: user.email,
      name: user.name,
      role_id: String(user.role_id),
      daily_quota: user.daily_quota,
      monthly_quota: user.monthly_quota,
      requests_per_hour: user.requests_per_hour,
      is_active: user.is_active,
    },
  });

  const save = async (filledIn: Parameters<typeof pickChanges>[1]) => {
    const changes = pickChanges(user, filledIn);
    if (Object.keys(changes).length > 0) {
      const { name } = await update.mutateAsync({ params: { id: user.id }, body: changes });
      showSuccess(`${name} was updated`);
    }
    onSaved();
  };

  const roleBinding = isSelf
    ? { ...form.bind('role_id'), disabled: true, description: 'You cannot change your own role.' }
    : form.bind('role_id');
  return (
    <Form form={form} submitLabel="Update User" pendingLabel="Updating User..." needsChange onSubmit={save}>
      <EmailField label="Email" data-autofocus {...form.bind('email')} autoComplete="off" />
      <TextField label="Full Name" {...form.bind('name')} />
      <RoleField {...roleBinding} held={{ id: user.role_id, name: user.role_name }} />
      <QuotaFields bind={form.bind} emptyMeans="unlimited" />
      <CheckboxField
        label="User is active"
        description={isSelf ? 'You cannot deactivate yourself.' : undefined}
        disabled={isSelf}
        {...form.bindChecked('is_active')}
      />
    </Form>
  );
}

type UserUpdate = z.output<typeof updateUserBody>;

/** Returns only the changed fields, so that two administrators can edit different fields. */
export function pickChanges(user: User, filledIn: UserUpdate): UserUpdate {
  // safe because the form's fields are fields of the user
  const names = Object.keys(filledIn) as (keyof UserUpdate)[];
  return Object.fromEntries(
    names.filter((name) => filledIn[name] !== user[name]).map((name) => [name, filledIn[name]]),
  );
}

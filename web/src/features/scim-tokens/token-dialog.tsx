import { TextInput } from '@mantine/core';
import {
  createScimTokenBody,
  rotateScimTokenBody,
  type ScimToken,
  updateScimTokenBody,
} from '@sluice/contract';
import { z } from 'zod';
import { SwitchField } from '#components/forms/checked-fields.tsx';
import { Form } from '#components/forms/form.tsx';
import { SelectField } from '#components/forms/select-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { showSuccess } from '#components/ui/toasts.tsx';
import { formatLastUsed } from '#lib/format-time.ts';
import { useNow } from '#lib/use-now.ts';
import { useCreateScimToken, useRotateScimToken, useUpdateScimToken } from './queries.ts';

const dayMs = 24 * 3_600_000;

const lifetimes = [
  { value: '90', label: 'In 90 days' },
  { value: '180', label: 'In 180 days' },
  { value: '365', label: 'In a year' },
  { value: '730', label: 'In 2 years' },
];
const overlaps = [
  { value: '0', label: 'Not at all' },
  { value: '1', label: '1 hour' },
  { value: '24', label: '24 hours' },
  { value: '168', label: '7 days' },
];

const expires_at = z.string().transform((days) => new Date(Date.now() + Number(days) * dayMs).toISOString());
const { name, can_assign_roles } = createScimTokenBody.shape;
const createForm = z.object({ name, expires_at, can_assign_roles });
const editForm = updateScimTokenBody.required();
const rotateForm = z.object({
  overlap_hours: z.string().transform(Number).pipe(rotateScimTokenBody.shape.overlap_hours.unwrap()),
});

const rolesLabel = 'May assign the roles admin and user';
const rolesText =
  'The identity provider sends them in roles or userType. Otherwise new users have the role user, and roles are assigned here.';

export type TokenTask = { kind: 'create' } | { kind: 'edit' | 'rotate'; token: ScimToken };

interface TokenDialogProps {
  task: TokenTask | null;
  isOpen: boolean;
  onClose: () => void;
  onSecret: (secret: string) => void;
}

export function TokenDialog({ task, isOpen, onClose, onSecret }: TokenDialogProps) {
  const titles = { create: 'Create SCIM token', edit: 'Edit SCIM token', rotate: 'Rotate SCIM token' };
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={titles[task?.kind ?? 'create']} size="sm">
      {task?.kind === 'create' && <CreateForm onSecret={onSecret} />}
      {task?.kind === 'edit' && <EditForm token={task.token} onSaved={onClose} />}
      {task?.kind === 'rotate' && <RotateForm token={task.token} onSecret={onSecret} />}
    </Dialog>
  );
}

function CreateForm({ onSecret }: Pick<TokenDialogProps, 'onSecret'>) {
  const create = useCreateScimToken();
  const form = useContractForm({
    schema: createForm,
    initialValues: { name: '', expires_at: '365', can_assign_roles: false },
  });
  const { value: isAllowed, ...roles } = form.bind('can_assign_roles');
  return (
    <Form
      form={form}
      submitLabel="Create token"
      pendingLabel="Creating..."
      fallbackProblem="Failed to create the SCIM token"
      onSubmit={async (body) => onSecret((await create.mutateAsync(body)).token)}
    >
      <TextInput label="Name" placeholder="Entra ID" data-autofocus {...form.bind('name')} />
      <SelectField label="Expires" options={lifetimes} {...form.bind('expires_at')} />
      <SwitchField label={rolesLabel} description={rolesText} checked={isAllowed === true} {...roles} />
    </Form>
  );
}

function EditForm({ token, onSaved }: { token: ScimToken; onSaved: () => void }) {
  const update = useUpdateScimToken();
  const form = useContractForm({
    schema: editForm,
    initialValues: { name: token.name, can_assign_roles: token.can_assign_roles },
  });
  const { value: isAllowed, ...roles } = form.bind('can_assign_roles');
  return (
    <Form
      form={form}
      submitLabel="Save changes"
      pendingLabel="Saving..."
      fallbackProblem="Failed to save the SCIM token"
      onSubmit={async (body) => {
        await update.mutateAsync({ id: token.id, body });
        showSuccess('SCIM token saved');
        onSaved();
      }}
    >
      <TextInput label="Name" data-autofocus {...form.bind('name')} />
      <SwitchField label={rolesLabel} description={rolesText} checked={isAllowed === true} {...roles} />
    </Form>
  );
}

function RotateForm({ token, onSecret }: Pick<TokenDialogProps, 'onSecret'> & { token: ScimToken }) {
  const nowMs = useNow();
  const rotate = useRotateScimToken();
  const form = useContractForm({ schema: rotateForm, initialValues: { overlap_hours: '24' } });
  return (
    <Form
      form={form}
      submitLabel="Rotate token"
      pendingLabel="Rotating..."
      fallbackProblem="Failed to rotate the SCIM token"
      isDanger={form.values.overlap_hours === '0'}
      isGuarded={false}
      onSubmit={async (body) => onSecret((await rotate.mutateAsync({ id: token.id, body })).token)}
    >
      <p>
        {token.name} gets a new secret with a new expiry. The token was last used:{' '}
        {formatLastUsed(token.last_used_at, nowMs)}.
      </p>
      <SelectField
        label="Previous secret stays valid for"
        description="Time to enter the new secret at the identity provider. After that, the previous secret is refused."
        options={overlaps}
        data-autofocus
        {...form.bind('overlap_hours')}
      />
    </Form>
  );
}

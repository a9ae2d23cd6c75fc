import { Button } from '@mantine/core';
import { ApiError, createUserBody } from '@sluice/contract';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { CheckboxField, SwitchField } from '#components/forms/checked-fields.tsx';
import { Form } from '#components/forms/form.tsx';
import { NumberField } from '#components/forms/number-field.tsx';
import { listPersonChoices } from '#components/forms/picker-choices.ts';
import { ChipsPickerField, PickerField } from '#components/forms/picker-field.tsx';
import { SelectField } from '#components/forms/select-field.tsx';
import { EmailField, TextAreaField, TextField } from '#components/forms/text-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { PasswordField } from '#components/ui/password-field.tsx';
import { showMessage, showSuccess } from '#components/ui/toasts.tsx';
import { Part, PartGroup } from './part.tsx';
import styles from './user-form.module.css';

const roles = [
  { value: 2, label: 'user' },
  { value: 1, label: 'admin 3/3', isDisabled: true, note: 'Limit reached' },
];

const initialValues = {
  email: '',
  name: '',
  password: '',
  role_id: '2',
  daily_quota: undefined as number | null | undefined,
  monthly_quota: null as number | null | undefined,
  requests_per_hour: 100 as number | null | undefined,
};

/** The entered email selects the simulated response. */
function UserForm({ onSaved }: { onSaved: () => void }) {
  const form = useContractForm({ schema: createUserBody, initialValues });
  const [note, setNote] = useState('');

  return (
    <Form
      form={form}
      onSubmit={(user) => createUser(user).then(onSaved)}
      submitLabel="Create User"
      pendingLabel="Creating User..."
      fallbackProblem="Failed to create user"
    >
      <EmailField label="Email" {...form.bind('email')} />
      <TextField label="Full Name" {...form.bind('name')} />
      <PasswordField
        label="Password"
        placeholder="Min. 6 characters"
        autoComplete="new-password"
        {...form.bind('password')}
      />
      <SelectField label="Role" options={roles} {...form.bind('role_id')} />
      <SelectField label="Team" options={[]} isLoading loadingText="Loading teams..." />
      <div className={styles.quotas}>
        <NumberField
          label="Daily quota"
          placeholder="1,000"
          emptyMeans="absent"
          {...form.bind('daily_quota')}
        />
        <NumberField label="Monthly quota" emptyMeans="unlimited" {...form.bind('monthly_quota')} />
        <NumberField label="Requests per hour" emptyMeans="unlimited" {...form.bind('requests_per_hour')} />
      </div>
      <TextAreaField
        label="Note"
        characterLimit={500}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <CheckboxField label="User is active" description="Inactive users cannot sign in." defaultChecked />
      <SwitchField label="Send a welcome mail" defaultChecked />
    </Form>
  );
}

async function createUser({ email }: { email: string }): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 600));
  if (email.startsWith('taken')) throw refuse(['body', 'email'], 'This address has an account already');
  if (email.startsWith('full')) throw refuse(['body', 'tenant'], 'The plan does not allow another user');
  if (email.startsWith('down')) throw new TypeError('Failed to fetch');
  showSuccess(`User ${email} created`);
}

function refuse(loc: string[], msg: string): ApiError {
  return new ApiError(422, msg, [{ loc, msg, type: 'value_error' }], null);
}

export function FormParts() {
  const [isOpen, setOpen] = useState(false);
  return (
    <PartGroup title="Forms">
      <Part name="In a dialog">
        <Button onClick={() => setOpen(true)}>+ Create User</Button>
        <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Create User">
          <UserForm onSaved={() => setOpen(false)} />
        </Dialog>
        <Link to="/">Leave the page</Link>
      </Part>
      <Part name="On a page">
        <UserForm onSaved={() => undefined} />
      </Part>
    </PartGroup>
  );
}

const names = [
  'Aiko Tanaka',
  'Jonas Weber',
  'Lena Fischer',
  'Maya Ortiz',
  'Noor Al-Amin',
  'Priya Nair',
  'Tom Keller',
];
const choices = listPersonChoices(
  names.map((name, index) => ({
    id: index + 1,
    name,
    email: `${name.toLowerCase().replace(' ', '.')}@northwind.dev`,
    is_blocked: name === 'Lena Fischer',
  })),
);

export function PickerParts() {
  const [person, setPerson] = useState('');
  const [people, setPeople] = useState<string[]>(['2']);
  return (
    <PartGroup title="Pickers">
      <Part name="Single picker">
        <PickerField
          label="User"
          placeholder="Search users by name or email..."
          source={{ choices }}
          value={person}
          onChange={setPerson}
        />
      </Part>
      <Part name="Multiple picker">
        <ChipsPickerField
          label="Users"
          placeholder="Search users by name or email..."
          source={{ choices }}
          value={people}
          error={people.length === 0 && 'Please select at least one user to add.'}
          onChange={setPeople}
        />
      </Part>
      <Part name="Loading and error">
        <PickerField label="Task" source={{ choices: undefined }} onChange={setPerson} />
        <PickerField
          label="Team"
          source={{
            choices: undefined,
            problem: 'Failed to fetch teams',
            onRetry: () => showMessage('Retried'),
          }}
          onChange={setPerson}
        />
      </Part>
    </PartGroup>
  );
}

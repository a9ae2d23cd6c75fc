import { Button } from '@mantine/core';
import { changeOwnPasswordBody, foldPassword } from '@sluice/contract';
import { useState } from 'react';
import { z } from 'zod';
import { Form } from '#components/forms/form.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { Panel } from '#components/ui/panel.tsx';
import { PasswordField } from '#components/ui/password-field.tsx';
import { showSuccess } from '#components/ui/toasts.tsx';
import { changePassword } from './queries.ts';
import styles from './screen.module.css';

/** Also checks that the new password differs from the current one, and that both entries match. */
export const passwordForm = z
  .object({
    ...changeOwnPasswordBody.shape,
    confirmation: z.string().min(1, 'Please confirm your new password'),
  })
  .refine(
    ({ current_password, new_password }) => foldPassword(current_password) !== foldPassword(new_password),
    {
      path: ['new_password'],
      message: 'New password must be different from current password',
      when: isFilledIn,
    },
  )
  .refine(({ new_password, confirmation }) => foldPassword(new_password) === foldPassword(confirmation), {
    path: ['confirmation'],
    message: 'Passwords do not match',
    when: isConfirmed,
  });

interface Payload {
  readonly value: unknown;
}

/** Rules that compare the fields do not apply before both fields have a value. */
function isFilledIn({ value }: Payload): boolean {
  return isGiven(value, 'current_password') && isGiven(value, 'new_password');
}

function isConfirmed({ value }: Payload): boolean {
  return isGiven(value, 'confirmation');
}

function isGiven(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && Boolean(Reflect.get(value, name));
}

export function PasswordPanel() {
  const [step, setStep] = useState<'unchanged' | 'form' | 'closed'>('unchanged');
  return (
    <Panel label="Password">
      <h2>Password</h2>
      {step === 'form' ? (
        <PasswordForm onDone={() => setStep('closed')} />
      ) : (
        <>
          <p className="quiet">Changing it signs you out everywhere else.</p>
          <div className={styles.actions}>
            <Button variant="default" autoFocus={step === 'closed'} onClick={() => setStep('form')}>
              Change Password
            </Button>
          </div>
        </>
      )}
    </Panel>
  );
}

function PasswordForm({ onDone }: { onDone: () => void }) {
  const form = useContractForm({
    schema: passwordForm,
    initialValues: { current_password: '', new_password: '', confirmation: '' },
  });
  return (
    <>
      <Form
        form={form}
        submitLabel="Change Password"
        pendingLabel="Changing..."
        fallbackProblem="Failed to change password"
        isGuarded={false}
        onSubmit={async ({ current_password, new_password }) => {
          await changePassword({ current_password, new_password });
          showSuccess('Password changed successfully!');
          onDone();
        }}
      >
        <PasswordField
          label="Current password"
          autoComplete="current-password"
          autoFocus
          {...form.bind('current_password')}
        />
        <PasswordField label="New password" autoComplete="new-password" {...form.bind('new_password')} />
        <PasswordField
          label="Confirm new password"
          autoComplete="new-password"
          {...form.bind('confirmation')}
        />
      </Form>
      <div className={styles.actions}>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </>
  );
}

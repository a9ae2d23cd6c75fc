import { changeOwnPasswordBody } from '@sluice/contract';
import { Form } from '../../components/forms/form.tsx';
import { useContractForm } from '../../components/forms/use-contract-form.ts';
import { PasswordField } from '../../components/ui/password-field.tsx';
import { showSuccess } from '../../components/ui/toasts.tsx';
import { useChangeOwnPassword } from './queries.ts';

/** Change of the user's own password, which requires the current one and keeps this session. */
export function OwnPasswordForm({ onSet }: { onSet: () => void }) {
  const change = useChangeOwnPassword();
  const form = useContractForm({
    schema: changeOwnPasswordBody,
    initialValues: { current_password: '', new_password: '' },
  });
  return (
    <Form
      form={form}
      submitLabel="Set Password"
      pendingLabel="Setting Password..."
      isGuarded={false}
      onSubmit={async (body) => {
        await change.mutateAsync(body);
        showSuccess('Password changed successfully!');
        onSet();
      }}
    >
      <p className="quiet">You stay signed in here. All your other sessions end.</p>
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        data-autofocus
        {...form.bind('current_password')}
      />
      <PasswordField
        label="New password"
        placeholder="Min. 6 characters"
        autoComplete="new-password"
        {...form.bind('new_password')}
      />
    </Form>
  );
}

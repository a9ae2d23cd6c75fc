import { confirmSignupBody } from '@sluice/contract';
import { Form } from '#components/forms/form.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { PasswordField } from '#components/ui/password-field.tsx';
import { useConfirmSignup } from './queries.ts';

interface ConfirmSignupFormProps {
  token: string;
  email: string;
  onConfirmed: () => void;
}

/** Only the user who signed up knows the password, so the mailbox is proven to be theirs. */
export function ConfirmSignupForm({ token, email, onConfirmed }: ConfirmSignupFormProps) {
  const confirm = useConfirmSignup(token);
  const form = useContractForm({ schema: confirmSignupBody, initialValues: { password: '' } });
  return (
    <Form
      form={form}
      submitLabel="Confirm email"
      pendingLabel="Confirming..."
      fallbackProblem="Failed to confirm the email"
      isGuarded={false}
      onSubmit={async (body) => {
        await confirm.mutateAsync(body);
        onConfirmed();
      }}
    >
      <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label="Password"
        placeholder="The password that you chose"
        autoComplete="current-password"
        autoFocus
        {...form.bind('password')}
      />
    </Form>
  );
}

import { requestPasswordResetBody } from '@sluice/contract';
import { Form } from '../../components/forms/form.tsx';
import { EmailField } from '../../components/forms/text-field.tsx';
import { useContractForm } from '../../components/forms/use-contract-form.ts';
import { useRequestPasswordReset } from './queries.ts';

/** Form that requests a reset link. The response is the same for every address. */
export function RequestPasswordResetForm({ onSent }: { onSent: (email: string) => void }) {
  const request = useRequestPasswordReset();
  const form = useContractForm({ schema: requestPasswordResetBody, initialValues: { email: '' } });
  return (
    <Form
      form={form}
      submitLabel="Send the Link"
      pendingLabel="Sending..."
      fallbackProblem="Failed to ask for a new password"
      isGuarded={false}
      onSubmit={async (body) => {
        await request.mutateAsync(body.email);
        onSent(body.email);
      }}
    >
      <EmailField label="Email" autoComplete="username" autoFocus {...form.bind('email')} />
    </Form>
  );
}

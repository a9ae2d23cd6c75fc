import { ApiError, type LlmProvider, rotateLlmProviderKeyBody } from '@sluice/contract';
import { z } from 'zod';
import { Form } from '#components/forms/form.tsx';
import { SelectField } from '#components/forms/select-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { PasswordField } from '#components/ui/password-field.tsx';
import { showSuccess } from '#components/ui/toasts.tsx';
import { useRotateKey, useTestConnection } from './queries.ts';

interface RotateKeyDialogProps {
  provider: LlmProvider;
  isOpen: boolean;
  onClose: () => void;
}

export function RotateKeyDialog({ provider, isOpen, onClose }: RotateKeyDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Rotate the key of ${provider.provider_instance_name}`}
      size="sm"
    >
      <RotateKeyForm provider={provider} onRotated={onClose} />
    </Dialog>
  );
}

const overlaps = [
  { value: '0', label: 'Not at all' },
  { value: '1', label: '1 hour' },
  { value: '24', label: '24 hours' },
  { value: '72', label: '3 days' },
  { value: '168', label: '7 days' },
];

const rotateForm = rotateLlmProviderKeyBody.extend({
  overlap_hours: z.string().transform(Number).pipe(rotateLlmProviderKeyBody.shape.overlap_hours.unwrap()),
});

/**
 * The server stores a key only after the provider accepted it, so that a mistyped key does not replace a working one.
 */
function RotateKeyForm({ provider, onRotated }: { provider: LlmProvider; onRotated: () => void }) {
  const test = useTestConnection();
  const rotateKey = useRotateKey();
  const form = useContractForm({ schema: rotateForm, initialValues: { api_key: '', overlap_hours: '24' } });
  const rotate = async (body: z.output<typeof rotateForm>) => {
    const { provider_registry_id, api_endpoint, id, provider_instance_name: name } = provider;
    const { success, error } = await test.mutateAsync({
      provider_registry_id,
      api_endpoint,
      api_key: body.api_key,
    });
    if (!success) throw refuseKey(error ?? 'Unknown error occurred.');
    await rotateKey.mutateAsync({ params: { id }, body });
    showSuccess(`Rotated the API key for ${name}`);
    onRotated();
  };
  return (
    <Form
      form={form}
      submitLabel="Test and Rotate"
      pendingLabel="Testing the new key..."
      fallbackProblem="Failed to save provider"
      onSubmit={rotate}
    >
      <p className="quiet">
        The new key is tested first and saved only if it works. Running requests finish with the previous key.
        While the previous key stays valid, it is used if the provider refuses the new key. It is then
        deleted, and you can revoke it at the provider.
      </p>
      <PasswordField
        label="New API key"
        noun="secret"
        autoComplete="off"
        data-autofocus
        {...form.bind('api_key')}
      />
      <SelectField label="Previous key stays valid for" options={overlaps} {...form.bind('overlap_hours')} />
    </Form>
  );
}

/** Shows a rejected key at the field, like a validation error of the server. */
const refuseKey = (problem: string) =>
  new ApiError(422, problem, [{ loc: ['body', 'api_key'], msg: problem, type: 'refused' }], null);

import { ApiError, type LlmProvider, updateLlmProviderBody } from '@sluice/contract';
import { Form } from '../../components/forms/form.tsx';
import { useContractForm } from '../../components/forms/use-contract-form.ts';
import { Dialog } from '../../components/ui/dialog.tsx';
import { PasswordField } from '../../components/ui/password-field.tsx';
import { showSuccess } from '../../components/ui/toasts.tsx';
import { useTestConnection, useUpdateProvider } from './queries.ts';

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

const rotateForm = updateLlmProviderBody.pick({ api_key: true }).required();

/** Takes a new key only once the provider has taken it, so that a mistyped one replaces nothing. */
function RotateKeyForm({ provider, onRotated }: { provider: LlmProvider; onRotated: () => void }) {
  const test = useTestConnection();
  const update = useUpdateProvider();
  const form = useContractForm({ schema: rotateForm, initialValues: { api_key: '' } });
  const rotate = async ({ api_key }: { api_key: string }) => {
    const { provider_registry_id, api_endpoint, id, provider_instance_name: name } = provider;
    const { success, error } = await test.mutateAsync({ provider_registry_id, api_endpoint, api_key });
    if (!success) throw refuseKey(error ?? 'Unknown error occurred.');
    await update.mutateAsync({ params: { id }, body: { api_key } });
    showSuccess(`The key of ${name} was rotated`);
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
        The new key is tried at the provider first, and kept only if it works. Requests that are running end
        with the former key, which you can revoke at the provider afterwards.
      </p>
      <PasswordField
        label="New API key"
        noun="secret"
        autoComplete="off"
        data-autofocus
        {...form.bind('api_key')}
      />
    </Form>
  );
}

/** Stands at the field, as what the server refuses does. */
const refuseKey = (problem: string) =>
  new ApiError(422, problem, [{ loc: ['body', 'api_key'], msg: problem, type: 'refused' }], null);

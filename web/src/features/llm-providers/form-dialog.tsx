import { Button } from '@mantine/core';
import { ApiError, createLlmProviderBody, type LlmProvider } from '@sluice/contract';
import { CheckboxField } from '../../components/forms/checked-fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { useContractForm } from '../../components/forms/use-contract-form.ts';
import { Dialog, DialogFooter } from '../../components/ui/dialog.tsx';
import { Notice } from '../../components/ui/notice.tsx';
import { showError, showSuccess } from '../../components/ui/toasts.tsx';
import { AliasesField } from './aliases-field.tsx';
import { ConnectionFields } from './connection-fields.tsx';
import { CreditsNotice } from './credits-notice.tsx';
import { ModelFields } from './model-fields.tsx';
import { PricingPanel } from './pricing-panel.tsx';
import {
  type FilledProvider,
  newProvider,
  type ProviderKind,
  type ProviderValues,
  pickChanges,
  providerForm,
  readProvider,
} from './provider-form.ts';
import { useCreateProvider, useUpdateProvider } from './queries.ts';
import { TimeoutFields } from './timeout-fields.tsx';

interface FormProps {
  kind: ProviderKind;
  isOperator: boolean;
  /** Instance to edit. Default: a new one. */
  provider?: LlmProvider;
}

interface ProviderFormDialogProps extends FormProps {
  isOpen: boolean;
  onClose: () => void;
}

export function ProviderFormDialog({ isOpen, onClose, ...props }: ProviderFormDialogProps) {
  const { kind, isOperator, provider } = props;
  const isRefused = kind === 'managed' && !isOperator && !provider;
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={titleOf(props)} size="lg">
      {isRefused ? <OperatorsOnly onClose={onClose} /> : <ProviderForm {...props} onSaved={onClose} />}
    </Dialog>
  );
}

function titleOf({ kind, provider }: FormProps): string {
  if (provider) return `Edit ${provider.provider_instance_name}`;
  return kind === 'self' ? 'Add LLM Provider' : 'Add Sluice Managed Provider';
}

function OperatorsOnly({ onClose }: { onClose: () => void }) {
  return (
    <>
      <CreditsNotice />
      <Notice kind="warn" title="Only a super administrator may add a service-managed provider">
        Ask whoever operates this installation to add one to your tenant, or add a provider with a key of your
        own under Self Managed.
      </Notice>
      <DialogFooter>
        <Button variant="default" onClick={onClose} data-autofocus>
          Close
        </Button>
      </DialogFooter>
    </>
  );
}

function ProviderForm({ onSaved, ...props }: FormProps & { onSaved: () => void }) {
  const { kind, provider } = props;
  const save = useSave(props);
  const form = useContractForm<ProviderValues, typeof providerForm>({
    schema: providerForm,
    initialValues: provider ? readProvider(provider) : newProvider,
  });
  return (
    <Form
      form={form}
      submitLabel={provider ? 'Update Provider' : 'Add Provider'}
      pendingLabel={provider ? 'Updating...' : 'Adding...'}
      fallbackProblem="Failed to save provider"
      needsChange={provider !== undefined}
      onSubmit={async (filled) => {
        await save(filled);
        onSaved();
      }}
    >
      {kind === 'managed' && <CreditsNotice />}
      <ConnectionFields {...props} form={form} />
      {kind === 'managed' && (
        <PricingPanel vendor={form.values.provider_registry_id} models={form.values.available_models} />
      )}
      <ModelFields form={form} />
      <AliasesField form={form} />
      <CheckboxField
        label={kind === 'self' ? 'Set as default provider' : 'Set as default provider for this type'}
        description="Asked first when several providers of this type serve a model."
        {...form.bindChecked('is_default')}
      />
      <CheckboxField
        label="Active"
        description="An inactive provider keeps its key and grants but takes no requests."
        {...form.bindChecked('is_active')}
      />
      <TimeoutFields form={form} />
    </Form>
  );
}

function useSave({ kind, provider }: FormProps) {
  const create = useCreateProvider();
  const update = useUpdateProvider();
  const send = async (filled: FilledProvider) => {
    if (provider)
      return update.mutateAsync({ params: { id: provider.id }, body: pickChanges(provider, filled) });
    const body = createLlmProviderBody.parse({ ...filled, is_service_managed: kind === 'managed' });
    return create.mutateAsync(body);
  };
  return async (filled: FilledProvider) => {
    try {
      const { provider_instance_name: name } = await send(filled);
      showSuccess(provider ? `${name} was updated` : `${name} was added. Overview has a request to try.`);
    } catch (error) {
      // Field errors are shown at the field.
      if (!(error instanceof ApiError && error.status === 422)) showError('Failed to save provider');
      throw error;
    }
  };
}

import { Button } from '@mantine/core';
import { ApiError, createLlmProviderBody, type LlmProvider } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { CheckboxField } from '#components/forms/checked-fields.tsx';
import { Form } from '#components/forms/form.tsx';
import { SelectField } from '#components/forms/select-field.tsx';
import { TextField } from '#components/forms/text-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { DeleteIcon } from '#components/ui/action-icons.ts';
import { Dialog, DialogFooter } from '#components/ui/dialog.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { SegmentedSwitch } from '#components/ui/segmented-switch.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { formatUsdExact } from '#lib/format-money.ts';
import styles from './aliases-field.module.css';
import { ConnectionFields } from './connection-fields.tsx';
import { ModelFields, PricingPanel } from './model-fields.tsx';
import {
  type FilledProvider,
  newProvider,
  type ProviderFormState,
  type ProviderKind,
  type ProviderValues,
  pickChanges,
  providerForm,
  readProvider,
} from './provider-form.ts';
import { balanceQuery, useCreateProvider, useUpdateProvider } from './queries.ts';
import { TimeoutFields } from './timeout-fields.tsx';

interface FormProps {
  kind: ProviderKind;
  isOperator: boolean;
  /** If absent, the form creates an instance. */
  provider?: LlmProvider;
}

interface ProviderFormDialogProps extends FormProps {
  isOpen: boolean;
  onClose: () => void;
  /** Called with the kind of key selected for a new instance. */
  onKind?: (kind: ProviderKind) => void;
  onCreated?: (created: LlmProvider) => void;
}

const kinds = [
  { value: 'self', label: 'Self managed' },
  { value: 'managed', label: 'Sluice managed' },
] as const;

export function ProviderFormDialog({
  isOpen,
  onClose,
  onKind,
  onCreated = onClose,
  ...props
}: ProviderFormDialogProps) {
  const { kind, isOperator, provider } = props;
  const isRefused = kind === 'managed' && !isOperator && !provider;
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={titleOf(props)} size="lg">
      {onKind && (
        <div className={styles.kinds}>
          <SegmentedSwitch label="Provider key" options={kinds} value={kind} onChange={onKind} />
        </div>
      )}
      {isRefused ? (
        <OperatorsOnly onClose={onClose} />
      ) : (
        <ProviderForm {...props} onSaved={provider ? onClose : onCreated} />
      )}
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
      <Notice kind="warn" title="Only a super administrator may add a Sluice managed provider">
        Ask the operator of this installation to add one to your tenant, or add a provider with a key of your
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

function ProviderForm({ onSaved, ...props }: FormProps & { onSaved: (saved: LlmProvider) => void }) {
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
        onSaved(await save(filled));
      }}
    >
      {kind === 'managed' && <CreditsNotice />}
      <ConnectionFields {...props} form={form} />
      {kind === 'managed' && (
        <PricingPanel vendor={form.values.provider_registry_id} models={form.values.available_models} />
      )}
      <ModelFields form={form} kind={kind} />
      <AliasesField form={form} />
      <CheckboxField
        label={kind === 'self' ? 'Set as default provider' : 'Set as default provider for this type'}
        description="Tried first when several providers of this type serve a model."
        {...form.bindChecked('is_default')}
      />
      <CheckboxField
        label="Active"
        description="An inactive provider keeps its key and grants but accepts no requests."
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
      const saved = await send(filled);
      // A new provider is confirmed by a dialog. A toast would cover the dialog's buttons on a phone.
      if (provider) showSuccess(`${saved.provider_instance_name} was updated`);
      return saved;
    } catch (error) {
      // Validation errors are shown at their fields.
      if (!(error instanceof ApiError && error.status === 422)) showError('Failed to save provider');
      throw error;
    }
  };
}

function CreditsNotice() {
  const { data } = useQuery(balanceQuery);
  return (
    <Notice
      kind="warn"
      title="This provider uses Sluice's own API keys, and users are charged credits for what they use"
    >
      {data && (
        <span className="num">
          Your tenant has {formatUsdExact(data.current_balance, 4)} of credits.
          {!data.service_spending_enabled && ' Spending is disabled, so requests will be refused.'}
        </span>
      )}
    </Notice>
  );
}

/** Each alias refers to an enabled model. */
function AliasesField({ form: { values, bind, setValue } }: { form: ProviderFormState }) {
  const { model_aliases: aliases, enabled_models: enabled } = values;
  const models = enabled.map((model) => ({ value: model, label: model }));
  return (
    <fieldset className={styles.field}>
      <legend className={styles.legend}>Model aliases (optional)</legend>
      <p className={styles.hint}>
        A name that callers can use instead of the model name, such as <code>fast</code>.
      </p>
      {aliases.map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id
        <div key={index} className={styles.row}>
          <TextField
            aria-label={`Alias ${index + 1}`}
            placeholder="fast"
            autoCapitalize="none"
            spellCheck={false}
            {...bind(`model_aliases.${index}.alias`)}
          />
          <SelectField
            aria-label={`Model of alias ${index + 1}`}
            placeholder="Select a model"
            options={models}
            {...bind(`model_aliases.${index}.model`)}
          />
          <IconButton
            label={`Remove alias ${index + 1}`}
            icon={DeleteIcon}
            onClick={() => setValue('model_aliases', aliases.toSpliced(index, 1))}
          />
        </div>
      ))}
      <Button
        variant="default"
        size="compact-sm"
        disabled={enabled.length === 0}
        onClick={() => setValue('model_aliases', [...aliases, { alias: '', model: enabled[0] ?? '' }])}
      >
        Add alias
      </Button>
    </fieldset>
  );
}

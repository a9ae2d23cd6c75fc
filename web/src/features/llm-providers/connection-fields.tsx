import { Button } from '@mantine/core';
import { ApiError, type LlmProvider } from '@sluice/contract';
import { Check, X } from 'lucide-react';
import { useEffect } from 'react';
import { SelectField } from '#components/forms/select-field.tsx';
import { TextField, UrlField } from '#components/forms/text-field.tsx';
import { PasswordField } from '#components/ui/password-field.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { messageOf } from '#lib/describe-failure.ts';
import { formatQuantity } from '#lib/format-number.ts';
import { localizeInstants } from '#lib/format-time.ts';
import styles from './connection-test.module.css';
import { newProvider, type ProviderFormState, type ProviderKind } from './provider-form.ts';
import { useLoadManagedModels, useTestConnection, useVendors, type Vendor } from './queries.ts';

interface ConnectionTestProps {
  form: ProviderFormState;
  vendor: Vendor | undefined;
}

/** Tests the key at the endpoint and enables the models found there. */
function ConnectionTest({ form, vendor }: ConnectionTestProps) {
  const { data, error, isPending, mutateAsync, reset } = useTestConnection();
  const { provider_registry_id, api_key, api_endpoint } = form.values;
  // Clears the result when a tested value changes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: resets whenever one of these changes
  useEffect(reset, [provider_registry_id, api_key, api_endpoint]);
  const test = async () => {
    const found = await mutateAsync({
      provider_registry_id,
      api_key: api_key.trim(),
      api_endpoint: api_endpoint.trim() || null,
    }).catch(() => null);
    if (found?.success) takeModels(form, found.available_models, vendor?.defaultModel);
  };
  const isReady = vendor !== undefined && api_key.trim() !== '';
  return (
    <div className={styles.test}>
      <Button variant="default" disabled={!isReady} onClick={() => !isPending && void test()}>
        {isPending ? 'Testing connection...' : 'Test Connection'}
      </Button>
      <div role="status" aria-live="polite" className={styles.verdict}>
        {data?.success && (
          <span className={styles.ok}>
            <Check {...markProps} aria-hidden /> Connection successful,{' '}
            {formatQuantity(data.available_models.length, 'model')} found
          </span>
        )}
        {data?.success === false && <FailedTest problem={data.error} />}
        {error && <FailedTest problem={describeCall(error)} />}
      </div>
    </div>
  );
}

const markProps = { size: 16, strokeWidth: 2.5, className: styles.mark };

function FailedTest({ problem }: { problem: string | null }) {
  return (
    <span className={styles.bad}>
      <X {...markProps} role="img" aria-label="Failed:" />{' '}
      {localizeInstants(problem || 'Unknown error occurred.')}
    </span>
  );
}

const describeCall = (error: Error): string =>
  error instanceof ApiError
    ? messageOf(error, 'Unknown error occurred.')
    : 'Network error. Please check your connection and try again.';

const loadFailed = 'Failed to load service-managed models';

interface ManagedModelsProps {
  form: ProviderFormState;
  vendor: Vendor | undefined;
}

/** Enables the priced models of the operator's key. */
function ManagedModels({ form, vendor }: ManagedModelsProps) {
  const { data, error, isPending, mutateAsync, reset } = useLoadManagedModels();
  // biome-ignore lint/correctness/useExhaustiveDependencies: clears the result when the vendor changes
  useEffect(reset, [vendor?.key]);
  const load = async (registryId: number) => {
    const found = await mutateAsync(registryId).catch(() => null);
    if (found?.success) takeModels(form, found.available_models, vendor?.defaultModel);
  };
  const registryId = vendor?.registryId ?? null;
  const problem = error
    ? messageOf(error, loadFailed)
    : data?.success === false && (data.error ?? loadFailed);
  return (
    <div className={styles.test}>
      <Button
        variant="default"
        disabled={registryId === null}
        onClick={() => registryId !== null && !isPending && void load(registryId)}
      >
        {isPending ? 'Loading models...' : 'Load Models'}
      </Button>
      <div role="status" aria-live="polite" className={styles.verdict}>
        {data?.success && (
          <StatusMark kind="ok">
            {formatQuantity(data.available_models.length, 'model')} with a known price
          </StatusMark>
        )}
        {problem && <StatusMark kind="bad">{problem}</StatusMark>}
        {vendor && registryId === null && <StatusMark kind="bad">{loadFailed}</StatusMark>}
      </div>
    </div>
  );
}

interface ConnectionFieldsProps {
  kind: ProviderKind;
  provider?: LlmProvider;
  form: ProviderFormState;
}

export function ConnectionFields({ kind, provider, form }: ConnectionFieldsProps) {
  const { vendors, isLoading } = useVendors();
  const { values, bind } = form;
  const vendor = vendors.find(({ key }) => key === values.provider_registry_id);
  return (
    <>
      {provider ? (
        <LockedVendor provider={provider} />
      ) : (
        <SelectField
          label="Provider type"
          placeholder="Select a provider type"
          options={vendors.map(({ key, name }) => ({ value: key, label: name }))}
          isLoading={isLoading}
          loadingText="Loading provider types..."
          data-autofocus
          {...bind('provider_registry_id')}
          onChange={(chosen) =>
            chooseVendor(
              form,
              vendors.find(({ key }) => key === chosen),
              vendor,
            )
          }
        />
      )}
      <TextField
        label="Instance name"
        placeholder={vendor ? `${vendor.name} production` : 'OpenAI production'}
        data-autofocus={provider !== undefined || undefined}
        {...bind('provider_instance_name')}
      />
      <KeyField form={form} vendor={vendor} provider={provider} isManaged={kind === 'managed'} />
      <UrlField
        label={vendor?.needsEndpoint ? 'API endpoint' : 'API endpoint (optional)'}
        placeholder={vendor?.suggestedEndpoint}
        description={describeEndpoint(vendor)}
        {...bind('api_endpoint')}
      />
      {!provider && kind === 'self' && <ConnectionTest form={form} vendor={vendor} />}
      {!provider && kind === 'managed' && <ManagedModels form={form} vendor={vendor} />}
    </>
  );
}

function describeEndpoint(vendor: Vendor | undefined): string | undefined {
  if (!vendor?.suggestedEndpoint) return undefined;
  return vendor.needsEndpoint
    ? `URL of the server, such as ${vendor.suggestedEndpoint}`
    : `Default: ${vendor.suggestedEndpoint}`;
}

/** Selects a vendor and resets the values that depend on it. */
function chooseVendor(
  { values, setValue }: ProviderFormState,
  vendor: Vendor | undefined,
  former: Vendor | undefined,
): void {
  // The default name changes with the vendor. A custom name is kept.
  if (values.provider_instance_name === (former?.name ?? '')) {
    setValue('provider_instance_name', vendor?.name ?? '');
  }
  setValue('provider_registry_id', vendor?.key ?? '');
  setValue('needs_api_key', !vendor?.isKeyOptional);
  setValue('api_endpoint', '');
  setValue('available_models', [...(vendor?.models ?? [])]);
  setValue('enabled_models', []);
  setValue('default_model', newProvider.default_model);
  setValue('model_aliases', []);
}

function LockedVendor({ provider: { provider_key } }: { provider: LlmProvider }) {
  const { vendors } = useVendors();
  const name = vendors.find(({ key }) => key === provider_key)?.name ?? provider_key;
  return (
    <SelectField
      label="Provider type"
      options={[{ value: provider_key, label: name }]}
      value={provider_key}
      disabled
    />
  );
}

interface KeyFieldProps {
  form: ProviderFormState;
  vendor: Vendor | undefined;
  provider: LlmProvider | undefined;
  isManaged: boolean;
}

/**
 * The field is locked for an existing provider unless the endpoint changes, because the server never sends a stored
 * key to a new endpoint.
 */
function KeyField({ form: { bind, values }, vendor, provider, isManaged }: KeyFieldProps) {
  const isMoved =
    provider?.has_api_key === true && values.api_endpoint.trim() !== (provider.api_endpoint ?? '');
  if (provider && !isMoved) {
    return (
      <TextField
        label="API key"
        value={provider.has_api_key ? '••••••••••••••••' : ''}
        placeholder="None"
        disabled
        readOnly
      />
    );
  }
  return (
    <PasswordField
      label={vendor?.isKeyOptional ? 'API key (optional)' : 'API key'}
      noun="secret"
      description={isManaged ? 'The key of this installation, which all organizations use' : undefined}
      autoComplete="off"
      placeholder={isMoved ? 'Enter the API key again to change the endpoint' : undefined}
      {...bind('api_key')}
    />
  );
}

/** The vendor's usual model becomes the default if it was found. */
function takeModels(
  { setValue }: Pick<ProviderFormState, 'setValue'>,
  found: readonly string[],
  usualModel: string | undefined,
): void {
  setValue('available_models', [...found]);
  setValue('enabled_models', [...found]);
  setValue('default_model', usualModel !== undefined && found.includes(usualModel) ? usualModel : '');
}

import { Button } from '@mantine/core';
import { ApiError } from '@sluice/contract';
import { Check, X } from 'lucide-react';
import { useEffect } from 'react';
import { formatQuantity } from '../../lib/format-number.ts';
import styles from './connection-test.module.css';
import type { ProviderFormState } from './provider-form.ts';
import { useTestConnection } from './queries.ts';
import { takeModels } from './take-models.ts';
import type { Vendor } from './use-vendors.ts';

interface ConnectionTestProps {
  form: ProviderFormState;
  vendor: Vendor | undefined;
}

/** Tests the key at the endpoint and enables the models found there. */
export function ConnectionTest({ form, vendor }: ConnectionTestProps) {
  const { data, error, isPending, mutateAsync, reset } = useTestConnection();
  const { provider_registry_id, api_key, api_endpoint } = form.values;
  // A result applies to the tested values, not to those typed since.
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
      <X {...markProps} role="img" aria-label="Failed:" /> {problem || 'Unknown error occurred.'}
    </span>
  );
}

/** Formats a failed call: the server's reason, or that it was unreachable. */
const describeCall = (error: Error): string =>
  error instanceof ApiError ? error.message : 'Network error. Please check your connection and try again.';

import { Button } from '@mantine/core';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { formatQuantity } from '../../lib/format-number.ts';
import { messageOf } from '../../lib/message-of.ts';
import styles from './connection-test.module.css';
import type { ProviderFormState } from './provider-form.ts';
import { useLoadManagedModels } from './queries.ts';
import { takeModels } from './take-models.ts';
import type { Vendor } from './use-vendors.ts';

const loadFailed = 'Failed to load service-managed models';

interface ManagedModelsProps {
  form: ProviderFormState;
  vendor: Vendor | undefined;
}

/** Loads and enables the models that the operator's key offers and that have a price. */
export function ManagedModels({ form, vendor }: ManagedModelsProps) {
  const { data, error, isPending, mutateAsync } = useLoadManagedModels();
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

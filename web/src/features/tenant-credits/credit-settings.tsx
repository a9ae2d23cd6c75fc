import { Button, Switch } from '@mantine/core';
import { useState } from 'react';
import { NumberField } from '../../components/forms/number-field.tsx';
import { showError, showSuccess } from '../../components/ui/toasts.tsx';
import { messageOf } from '../../lib/message-of.ts';
import styles from './credit-settings.module.css';
import { type TenantAccount, useSetSpending, useSetThreshold } from './queries.ts';

interface CreditSettingsProps {
  account: TenantAccount;
  tenantId: number | undefined;
}

/** Low-balance threshold, and whether service-managed instances may spend credits. */
export function CreditSettings({ account, tenantId }: CreditSettingsProps) {
  const [threshold, setThreshold] = useState<number | string>(account.low_balance_threshold);
  const saveThreshold = useSetThreshold(tenantId);
  const saveSpending = useSetSpending(tenantId);
  const isChanged = threshold !== '' && Number(threshold) !== account.low_balance_threshold;
  const onError = (error: unknown) => showError(messageOf(error, 'The setting could not be saved'));
  return (
    <div className={styles.settings}>
      <NumberField
        label="Low balance threshold"
        emptyMeans="absent"
        leftSection="$"
        allowDecimal
        decimalScale={2}
        value={threshold}
        onChange={(value) => setThreshold(value ?? '')}
      />
      <Button
        variant="default"
        disabled={!isChanged}
        data-pending={saveThreshold.isPending || undefined}
        onClick={() =>
          saveThreshold.mutate(Number(threshold), {
            onSuccess: () => showSuccess('Low balance threshold saved'),
            onError,
          })
        }
      >
        Save
      </Button>
      <Switch
        label="Service-managed models may spend these credits"
        checked={account.service_spending_enabled}
        onChange={({ currentTarget }) => saveSpending.mutate(currentTarget.checked, { onError })}
      />
    </div>
  );
}

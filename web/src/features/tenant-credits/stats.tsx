import { StatStrip } from '../../components/ui/stat-strip.tsx';
import type { TenantAccount } from './queries.ts';

export function TenantCreditsStats({ accounts }: { accounts: readonly TenantAccount[] | undefined }) {
  const countOf = (isCounted: (account: TenantAccount) => boolean) => accounts?.filter(isCounted).length;
  return (
    <StatStrip
      label="Credits in figures"
      stats={[
        { label: 'Total Tenants', value: accounts?.length },
        { label: 'With Credits', value: countOf(({ is_zero_balance }) => !is_zero_balance) },
        { label: 'Low Balance', value: countOf(({ is_low_balance }) => is_low_balance) },
      ]}
    />
  );
}

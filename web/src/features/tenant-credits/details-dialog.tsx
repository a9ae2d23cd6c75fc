import { Dialog } from '../../components/ui/dialog.tsx';
import { Fact, FactList } from '../../components/ui/fact-list.tsx';
import { formatLifetimeSpent, formatUsdExact } from '../../lib/format-money.ts';
import { CreditSettings } from './credit-settings.tsx';
import type { TenantAccount } from './queries.ts';
import { TransactionHistory } from './transaction-history.tsx';

interface DetailsDialogProps {
  account: TenantAccount;
  tenantId: number | undefined;
  isOpen: boolean;
  onClose: () => void;
}

/** Transactions of a tenant and its credit settings. */
export function DetailsDialog({ account, tenantId, isOpen, onClose }: DetailsDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={`Transaction history of ${account.name}`} size="xl">
      <FactList>
        <Fact name="Current balance">{formatUsdExact(account.current_balance, 4)}</Fact>
        <Fact name="Lifetime spent">{formatLifetimeSpent(account.lifetime_spent)}</Fact>
        <Fact name="Lifetime recharged">{formatUsdExact(account.lifetime_recharged, 2)}</Fact>
      </FactList>
      <CreditSettings account={account} tenantId={tenantId} />
      <TransactionHistory tenantId={tenantId} />
    </Dialog>
  );
}

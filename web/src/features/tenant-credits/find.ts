import { findByText } from '../../components/data-table/find-by-text.ts';
import type { TenantAccount } from './queries.ts';
import type { BalanceFilter } from './search.ts';

interface Wanted {
  text: string;
  balance: BalanceFilter | undefined;
}

/** Returns tenants whose name or slug contains the text, filtered by balance. */
export function findTenantAccounts(
  accounts: readonly TenantAccount[],
  { text, balance }: Wanted,
): readonly TenantAccount[] {
  const named = findByText(accounts, text, ({ name, slug }) => [name, slug]);
  if (balance === undefined) return named;
  return named.filter((account) => (balance === 'zero' ? account.is_zero_balance : account.is_low_balance));
}

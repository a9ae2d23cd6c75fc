import type { ReactNode } from 'react';
import { PageTabs } from '../../components/ui/page-tabs.tsx';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { lazyPart } from '../../lib/lazy-part.tsx';

const BillingTab = lazyPart(() => import('./billing-tab.tsx'), 'BillingTab', <SkeletonLines count={3} />);
const OwnBilling = lazyPart(() => import('./own-billing.tsx'), 'OwnBilling', <SkeletonLines count={3} />);

interface CreditTabsProps {
  isOperator: boolean;
  chosen: 'billing' | undefined;
  onChoose: (tab: 'billing' | undefined) => void;
  /** List of tenants' credits. */
  children: ReactNode;
}

const tabs = [
  { value: 'credits', label: 'Credits' },
  { value: 'billing', label: 'Billing' },
] as const;

/** Credits with the tenant's plan and cards; super administrators have a billing tab for all tenants. */
export function CreditTabs({ isOperator, chosen, onChoose, children }: CreditTabsProps) {
  const credits = (
    <>
      {children}
      <OwnBilling />
    </>
  );
  if (!isOperator) return credits;
  return (
    <PageTabs
      label="Credits and billing"
      tabs={tabs}
      chosen={chosen ?? 'credits'}
      onChoose={(tab) => onChoose(tab === 'billing' ? tab : undefined)}
    >
      {chosen === 'billing' ? <BillingTab /> : credits}
    </PageTabs>
  );
}

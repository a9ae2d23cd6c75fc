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
  /** The credits of tenants. */
  children: ReactNode;
}

const tabs = [
  { value: 'credits', label: 'Credits' },
  { value: 'billing', label: 'Billing' },
] as const;

/** Credits, and below them one's own plan and cards; a super administrator has the billing of all in a tab. */
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

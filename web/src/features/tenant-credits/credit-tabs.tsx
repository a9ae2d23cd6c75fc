import { lazy, type ReactNode, Suspense } from 'react';
import { PageTabs } from '../../components/ui/page-tabs.tsx';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { loadPart } from '../../lib/load-part.ts';

const BillingTab = lazy(loadPart(async () => ({ default: (await import('./billing-tab.tsx')).BillingTab })));
const OwnBilling = lazy(loadPart(async () => ({ default: (await import('./own-billing.tsx')).OwnBilling })));

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
      <Suspense fallback={<SkeletonLines count={3} />}>
        <OwnBilling />
      </Suspense>
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
      {chosen === 'billing' ? (
        <Suspense fallback={<SkeletonLines count={3} />}>
          <BillingTab />
        </Suspense>
      ) : (
        credits
      )}
    </PageTabs>
  );
}

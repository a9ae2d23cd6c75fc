import { useQuery } from '@tanstack/react-query';
import { paymentSetupQuery } from '../../lib/payment-setup.ts';
import { PaymentMethodsPanel } from './payment-methods-panel.tsx';
import { SubscriptionPanel } from './subscription-panel.tsx';

/** The plan and the cards of one's own tenant, where cards can be taken. */
export function OwnBilling() {
  const { data: setup } = useQuery(paymentSetupQuery);
  if (!setup?.provider) return null;
  return (
    <>
      <SubscriptionPanel />
      <PaymentMethodsPanel setup={setup} />
    </>
  );
}

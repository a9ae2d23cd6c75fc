import { useQuery } from '@tanstack/react-query';
import { paymentSetupQuery } from '../../lib/payment-setup.ts';
import { PaymentMethodsPanel } from './payment-methods-panel.tsx';
import { SubscriptionPanel } from './subscription-panel.tsx';

/** Plan and cards of the user's tenant, if payments are set up. */
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

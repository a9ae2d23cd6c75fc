import { useQuery } from '@tanstack/react-query';
import { Notice } from '../../components/ui/notice.tsx';
import { paymentSetupQuery } from '../../lib/payment-setup.ts';
import styles from './payments-notice.module.css';

/** Notice if payments are not set up or are simulated. */
export function PaymentsNotice() {
  const { data: setup } = useQuery(paymentSetupQuery);
  if (!setup || setup.provider === 'stripe') return null;
  return (
    <div className={styles.notice}>
      {setup.provider === 'simulated' ? (
        <Notice kind="warn" title="Payments are simulated.">
          This is a demonstration: cards are not charged, and credits cost nothing.
        </Notice>
      ) : (
        <Notice kind="warn" title="Payments are not set up.">
          Cards cannot be charged. Whoever runs Sluice can set the Stripe keys; until then a super
          administrator can add credits by hand.
        </Notice>
      )}
    </div>
  );
}

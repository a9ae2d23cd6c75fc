import type { Ref } from 'react';
import styles from './stripe-card-field.module.css';

/** Where Stripe puts its card fields, which stay while they are hidden. */
export function StripeCardField({ ref, isHidden }: { ref: Ref<HTMLDivElement>; isHidden: boolean }) {
  return (
    <div hidden={isHidden}>
      <p>Card</p>
      <div ref={ref} className={styles.card} />
    </div>
  );
}

import type { DeviationReceipt } from '@sluice/contract';
import { receiptTexts } from '../../lib/deviation-text.ts';
import styles from './receipt-list.module.css';

/** Why a score changed: lines that add up to the change. */
export function ReceiptList({ receipts }: { receipts: readonly DeviationReceipt[] }) {
  return (
    <table className={styles.receipts} aria-label="Reasons of the change">
      <tbody>
        {receipts.map(({ name, amount, value, weight }) => (
          <tr key={name}>
            <th scope="row">{receiptTexts[name]}</th>
            <td className={`num ${styles.how}`}>
              {value !== undefined && weight !== undefined && `${value.toFixed(2)} × ${weight} × 0.1`}
            </td>
            <td className={`num ${styles.amount}`}>{formatAmount(amount)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** `+0.081`, with a minus sign as wide as the plus. */
function formatAmount(amount: number): string {
  const text = Math.abs(amount).toFixed(3);
  return amount < 0 ? `\u2212${text}` : `+${text}`;
}

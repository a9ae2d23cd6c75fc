import type { DeviationReceipt } from '@sluice/contract';
import { receiptTexts } from '../../lib/deviation-text.ts';
import styles from './receipt-list.module.css';

/** Below it an amount rounds to nothing. */
const leastAmount = 0.0005;

/** Why a score changed: lines that add up to the change. */
export function ReceiptList({ receipts }: { receipts: readonly DeviationReceipt[] }) {
  const deviation = receipts.reduce((sum, { value = 0, weight = 0 }) => sum + value * weight, 0);
  return (
    <>
      <table className={styles.receipts} aria-label="Reasons of the change">
        <tbody>
          {receipts
            .filter(({ amount }) => Math.abs(amount) >= leastAmount)
            .map(({ name, amount, value, weight }) => (
              <tr key={name}>
                <th scope="row">{receiptTexts[name]}</th>
                <td className={`num ${styles.how}`}>
                  {value !== undefined && weight !== undefined && `${value.toFixed(2)} × weight ${weight}`}
                </td>
                <td className={`num ${styles.amount}`}>{formatAmount(amount)}</td>
              </tr>
            ))}
        </tbody>
      </table>
      {deviation > 1 && (
        <p className={styles.note}>All signals of one request together raise the score by at most 0.1.</p>
      )}
    </>
  );
}

/** `+0.081`, with a minus sign as wide as the plus. */
function formatAmount(amount: number): string {
  const text = Math.abs(amount).toFixed(3);
  return amount < 0 ? `\u2212${text}` : `+${text}`;
}

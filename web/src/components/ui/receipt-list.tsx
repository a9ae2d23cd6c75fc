import type { DeviationReceipt } from '@sluice/contract';
import { receiptTexts } from '../../lib/deviation-text.ts';
import { roundToSum } from '../../lib/round-to-sum.ts';
import styles from './receipt-list.module.css';

const decimals = 3;

interface ReceiptListProps {
  receipts: readonly DeviationReceipt[];
  /** Total change. Default: the sum of the entries. */
  total?: number;
}

/** Why a score changed: lines that add up to the change, as they are shown, too. */
export function ReceiptList({ receipts, total }: ReceiptListProps) {
  const amounts = receipts.map(({ amount }) => amount);
  const sum = amounts.reduce((so, amount) => so + amount, 0);
  const rounded = roundToSum(amounts, total ?? sum, decimals);
  const deviation = receipts.reduce((sum, { value = 0, weight = 0 }) => sum + value * weight, 0);
  return (
    <>
      <table className={styles.receipts} aria-label="Reasons of the change">
        <tbody>
          {receipts
            .map((receipt, index) => ({ ...receipt, amount: rounded[index] ?? receipt.amount }))
            .filter(({ amount }) => amount !== 0)
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
  const text = Math.abs(amount).toFixed(decimals);
  return amount < 0 ? `\u2212${text}` : `+${text}`;
}

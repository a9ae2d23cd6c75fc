import type { DeviationReceipt } from '@sluice/contract';
import { receiptTexts } from '#lib/describe-deviation.ts';
import { formatScore, formatSigned } from '#lib/format-number.ts';
import { roundToSum } from '#lib/round-to-sum.ts';
import styles from './receipt-list.module.css';

const decimals = 3;

interface ReceiptListProps {
  receipts: readonly DeviationReceipt[];
  /** The default is the sum of the entries. */
  total?: number;
}

/** Rounds the components so that the displayed values add up. */
export function ReceiptList({ receipts, total }: ReceiptListProps) {
  const amounts = receipts.map(({ amount }) => amount);
  const sum = amounts.reduce((so, amount) => so + amount, 0);
  const rounded = roundToSum(amounts, total ?? sum, decimals);
  const deviation = receipts.reduce((sum, { value = 0, weight = 0 }) => sum + value * weight, 0);
  return (
    <>
      <table className={styles.receipts} aria-label="Reasons for the change">
        <tbody>
          {receipts
            .map((receipt, index) => ({
              ...receipt,
              exact: receipt.amount,
              amount: rounded[index] ?? receipt.amount,
            }))
            .filter(({ amount }) => amount !== 0)
            .map(({ name, amount, exact, value, weight }) => (
              <tr key={name}>
                <th scope="row">{receiptTexts[name]}</th>
                <td className={`num ${styles.how}`}>
                  {value !== undefined &&
                    weight !== undefined &&
                    describeFactors({ amount: exact, value, weight })}
                </td>
                <td className={`num ${styles.amount}`}>{formatSigned(amount, decimals)}</td>
              </tr>
            ))}
        </tbody>
      </table>
      {deviation > 1 && (
        <p className={styles.note}>A single request raises the score by at most 0.1 in total.</p>
      )}
    </>
  );
}

/**
 * Describes the factors of a component, for example `1.00 × weight 0.5 × 0.10`. The last factor is the share of a new
 * request in the score.
 */
function describeFactors({ amount, value, weight }: Required<Omit<DeviationReceipt, 'name'>>): string {
  const factors = `${formatScore(value)} × weight ${weight}`;
  return value * weight === 0 ? factors : `${factors} × ${formatScore(amount / (value * weight))}`;
}

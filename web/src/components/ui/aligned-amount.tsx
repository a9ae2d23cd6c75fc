import styles from './aligned-amount.module.css';

interface AlignedAmountProps {
  /** Formatted amount, for example `$0.01`. */
  text: string;
  /** Highest number of decimals in the column. */
  decimalsMax: number;
}

/** Decimal points are aligned even if amounts have different numbers of decimals. */
export function AlignedAmount({ text, decimalsMax }: AlignedAmountProps) {
  const decimals = text.split('.')[1]?.length ?? 0;
  return (
    <span className={`num ${styles.amount}`} data-rest={'0'.repeat(Math.max(0, decimalsMax - decimals))}>
      {text}
    </span>
  );
}

import type { BalanceProof } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ChoiceFilter } from '#components/data-table/filter-bar.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { Time } from '#components/ui/time.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatUsdExact } from '#lib/format-money.ts';
import { formatQuantity } from '#lib/format-number.ts';
import styles from './proof-dialog.module.css';
import { proofQuery, type TenantAccount } from './queries.ts';

interface ProofDialogProps {
  account: TenantAccount;
  tenantId: number | undefined;
  isOpen: boolean;
  onClose: () => void;
}

const periods = [7, 30, 90].map((days) => ({ value: String(days), label: `Last ${days} days` }));

/** Derives a balance from the opening balance and all later ledger entries. */
export function ProofDialog({ account, tenantId, isOpen, onClose }: ProofDialogProps) {
  const [days, setDays] = useState<number | null>(null);
  const answer = useQuery({ ...proofQuery(tenantId, days), enabled: isOpen });
  const failure = describeFailure(answer, 'The proof of this balance could not be loaded');
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={`Proof of the balance of ${account.name}`}>
      <div className={styles.tools}>
        <ChoiceFilter
          label="Time"
          isLabelHidden
          everything="All time"
          options={periods}
          value={days === null ? undefined : String(days)}
          onChoose={(chosen) => setDays(chosen === undefined ? null : Number(chosen))}
        />
      </div>
      {failure && <Failure {...failure} />}
      {!failure && !answer.data && <SkeletonLines count={6} />}
      {answer.data && <Sums proof={answer.data} />}
    </Dialog>
  );
}

const lines: readonly (readonly [name: string, sign: 1 | -1, of: keyof BalanceProof])[] = [
  ['Payments', 1, 'recharges'],
  ['Bonuses', 1, 'bonuses'],
  ['Refunds', 1, 'refunds'],
  ['Adjustments', 1, 'adjustments'],
  ['Usage', -1, 'deductions'],
  ['Penalties', -1, 'penalties'],
];

function Sums({ proof }: { proof: BalanceProof }) {
  return (
    <>
      <table className={`num ${styles.sums}`}>
        <tbody>
          <Line name={<Opening openedAt={proof.opened_at} />} amount={proof.opening_balance} />
          {lines.map(([name, sign, of]) => (
            <Line key={name} name={name} amount={sign * Number(proof[of])} isMoved />
          ))}
          <Line name="Current balance" amount={proof.current_balance} isTotal />
          <Line name="Reserved for running requests" amount={-proof.held} isMoved />
          <Line name="Available" amount={proof.available_balance} isTotal />
        </tbody>
      </table>
      <Verdict proof={proof} />
    </>
  );
}

function Opening({ openedAt }: { openedAt: string | null }) {
  if (openedAt === null) return 'Opening balance';
  return (
    <>
      Balance <Time value={openedAt} />
    </>
  );
}

interface LineProps {
  name: ReactNode;
  amount: number;
  /** Whether the amount is a change, which is shown with a sign. */
  isMoved?: boolean;
  isTotal?: boolean;
}

function Line({ name, amount, isMoved = false, isTotal = false }: LineProps) {
  const sign = amount > 0 ? '+' : amount < 0 ? '-' : '';
  return (
    <tr className={isTotal ? styles.total : undefined}>
      <th scope="row">{name}</th>
      <td>{isMoved ? `${sign}${formatUsdExact(Math.abs(amount), 4)}` : formatUsdExact(amount, 4)}</td>
    </tr>
  );
}

function Verdict({ proof }: { proof: BalanceProof }) {
  const counted = formatQuantity(proof.transactions, 'transaction');
  return (
    <p className={styles.verdict} role="status">
      {proof.is_verified ? (
        <StatusMark kind="ok">Verified: {counted} add up to this balance</StatusMark>
      ) : (
        <StatusMark kind="bad">
          The {counted} do not add up to this balance. Contact the operator of Sluice. The server log has the
          details.
        </StatusMark>
      )}{' '}
      <span className="quiet">
        <Time value={proof.verified_at} />
      </span>
    </p>
  );
}

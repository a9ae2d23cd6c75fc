import type { Statement } from '@sluice/contract';
import { Link } from '@tanstack/react-router';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { formatUsdExact } from '#lib/format-money.ts';
import { formatCount } from '#lib/format-number.ts';
import { roundToSum } from '#lib/round-to-sum.ts';
import { compareWithLedger, findRequests, nameRow } from './queries.ts';
import styles from './table.module.css';

type Amounts = Statement['total'];

const decimals = 4;
const formatCost = (amount: number) => formatUsdExact(amount, decimals);

/** Each displayed column adds up to its total. */
function roundRows({ rows, total }: Statement): Statement['rows'] {
  const columns = (['self_managed_usd', 'service_managed_usd', 'cost_usd'] as const).map((name) => {
    const amounts = rows.map((row) => row[name]);
    return { name, amounts: roundToSum(amounts, total[name], decimals) };
  });
  return rows.map((row, place) => ({
    ...row,
    ...Object.fromEntries(columns.map(({ name, amounts }) => [name, amounts[place]])),
  }));
}

export function StatementTable({ statement }: { statement: Statement }) {
  const { by, label, total } = statement;
  const rows = roundRows(statement);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <section className={styles.box} tabIndex={0} aria-label="Rows">
        <table className={`num ${styles.table}`}>
          <thead>
            <tr>
              <th scope="col">{by === 'team' ? 'Team' : label}</th>
              <th scope="col">Requests</th>
              <th scope="col">Tokens</th>
              <th scope="col">Self managed</th>
              <th scope="col">Credits</th>
              <th scope="col">Cost</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={`${row.kind} ${row.team_id} ${row.name}`} data-rest={row.kind !== 'value'}>
                <th scope="row">
                  <RowName row={row} statement={statement} />
                </th>
                <AmountCells amounts={row} />
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Total</th>
              <AmountCells amounts={total} />
            </tr>
          </tfoot>
        </table>
      </section>
      <LedgerLine statement={statement} />
    </>
  );
}

/** Links to the requests of the row, if a filter of System Logs selects them. */
function RowName({ row, statement }: { row: Statement['rows'][number]; statement: Statement }) {
  const name = nameRow(row, statement.label);
  const place = findRequests(row, statement);
  if (!place) return name;
  return (
    <Link to="/admin/logs" search={place}>
      {name}
    </Link>
  );
}

function AmountCells({ amounts }: { amounts: Amounts }) {
  return (
    <>
      <td>{formatCount(amounts.requests)}</td>
      <td>{formatCount(amounts.tokens)}</td>
      <td>{formatCost(amounts.self_managed_usd)}</td>
      <td>{formatCost(amounts.service_managed_usd)}</td>
      <td>{formatCost(amounts.cost_usd)}</td>
    </>
  );
}

/** Compares the cost paid with credits to the deductions in the ledger. */
function LedgerLine({ statement }: { statement: Statement }) {
  const { ledger_deductions_usd, total } = statement;
  if (ledger_deductions_usd === null) return null;
  const { kind, text } = compareWithLedger(statement);
  return (
    <dl className={`num ${styles.ledger}`}>
      <div>
        <dt>Paid with credits</dt>
        <dd>{formatCost(total.service_managed_usd)}</dd>
      </div>
      <div>
        <dt>Deductions in the ledger</dt>
        <dd>{formatCost(ledger_deductions_usd)}</dd>
      </div>
      <div>
        <dt>Comparison</dt>
        <dd>
          <StatusMark kind={kind}>{text}</StatusMark>
        </dd>
      </div>
    </dl>
  );
}

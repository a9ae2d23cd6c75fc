import type { ShadowRun } from '@sluice/contract';
import { Link } from '@tanstack/react-router';
import { NarrowOnly } from '#components/data-table/cells.tsx';
import type { Column } from '#components/data-table/column.ts';
import { SecondLine } from '#components/ui/lines.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { Time } from '#components/ui/time.tsx';
import { formatUsd } from '#lib/format-money.ts';
import { formatCount, formatQuantity } from '#lib/format-number.ts';
import { countCompared, describeSource, summarizeSource } from './differences.tsx';
import styles from './screen.module.css';

type CountName =
  | 'requests'
  | 'refused_here'
  | 'refused_there'
  | 'other_model'
  | 'other_cost'
  | 'not_compared';

const countColumn = (
  name: string,
  field: CountName,
  shown: Pick<Column<ShadowRun>, 'width' | 'showFrom'>,
): Column<ShadowRun> => ({
  name,
  align: 'end',
  ...shown,
  sortBy: (run) => run[field],
  cell: (run) => <span className={`num ${run[field] === 0 ? 'quiet' : ''}`}>{formatCount(run[field])}</span>,
});

export const runColumns: readonly Column<ShadowRun>[] = [
  {
    name: 'Run',
    isPinned: true,
    isHideable: false,
    minWidth: '10rem',
    sortBy: ({ name }) => name,
    csv: (run) => `${run.name}: ${summarizeSource(run)}`,
    cell: (run) => <RunName run={run} />,
  },
  {
    name: 'Started',
    width: '7.5rem',
    showFrom: 'full',
    sortBy: ({ started_at }) => started_at,
    cell: ({ started_at, ended_at }) => (
      <>
        <div>
          <Time value={started_at} isTabStop={false} />
        </div>
        {ended_at === null && <Unfinished />}
      </>
    ),
  },
  countColumn('Requests', 'requests', { width: '5.5rem', showFrom: 'medium' }),
  countColumn('Refused here', 'refused_here', { width: '6.75rem', showFrom: 'medium' }),
  countColumn('Refused there', 'refused_there', { width: '7rem', showFrom: 'medium' }),
  countColumn('Other model', 'other_model', { width: '6.5rem', showFrom: 'wide' }),
  countColumn('Other cost', 'other_cost', { width: '6rem', showFrom: 'wide' }),
  countColumn('Not compared', 'not_compared', { width: '7rem', showFrom: 'wide' }),
  {
    name: 'Cost here',
    width: '7.5rem',
    align: 'end',
    showFrom: 'medium',
    sortBy: ({ cost_usd }) => cost_usd,
    cell: (run) =>
      countCompared(run) === 0 ? (
        <span className="quiet">–</span>
      ) : (
        <div className="num" title="Of the requests that both gateways serve, with known costs">
          {formatUsd(run.cost_usd)}
          <SecondLine>{formatUsd(run.other_cost_usd)} there</SecondLine>
        </div>
      ),
  },
];

const Unfinished = () => <StatusMark kind="pending">Not finished</StatusMark>;

function RunName({ run }: { run: ShadowRun }) {
  return (
    <>
      <Link to="." search={{ run: run.id }} className={styles.runLink} tabIndex={-1} title={run.name}>
        {run.name}
      </Link>
      <SecondLine title={describeSource(run)}>{summarizeSource(run)}</SecondLine>
      <NarrowOnly>
        <span className="num">{formatQuantity(run.requests, 'request')}</span>
        <span className="num">{formatCount(run.refused_here)} refused here</span>
        {countCompared(run) > 0 && (
          <span className="num">
            {formatUsd(run.cost_usd)} here, {formatUsd(run.other_cost_usd)} there
          </span>
        )}
        {run.ended_at === null && <Unfinished />}
      </NarrowOnly>
    </>
  );
}

import type { ShadowRequest } from '@sluice/contract';
import { NarrowOnly } from '#components/data-table/cells.tsx';
import type { Column } from '#components/data-table/column.ts';
import { AlignedAmount } from '#components/ui/aligned-amount.tsx';
import { NameLine, SecondLine } from '#components/ui/lines.tsx';
import { formatUsd } from '#lib/format-money.ts';
import { formatCount, formatScore } from '#lib/format-number.ts';
import { formatFullTime, formatRowTime } from '#lib/format-time.ts';
import { DifferenceMark, differenceName } from './differences.tsx';

export const callerOf = ({ user_name: name }: ShadowRequest) => name ?? 'Unknown caller';

export function outcomeThere({ other_outcome: outcome }: ShadowRequest): string {
  if (outcome === null) return 'Not in the log';
  return { served: 'Served', refused: 'Refused', failed: 'Failed' }[outcome];
}

const costColumn = (
  name: string,
  read: (request: ShadowRequest) => number | null,
): Column<ShadowRequest> => ({
  name,
  width: '6rem',
  align: 'end',
  showFrom: 'medium',
  csv: read,
  cell: (request) => {
    const cost = read(request);
    if (cost === null) return <span className="quiet">–</span>;
    return <AlignedAmount text={formatUsd(cost)} decimalsMax={6} />;
  },
});

const textColumn = (
  name: string,
  width: string,
  read: (request: ShadowRequest) => string | number | null,
): Column<ShadowRequest> => ({
  name,
  width,
  isExtra: true,
  showFrom: 'medium',
  csv: read,
  cell: (request) => <span className="num">{read(request) ?? '–'}</span>,
});

export const requestColumns: readonly Column<ShadowRequest>[] = [
  {
    name: 'Request',
    isPinned: true,
    isHideable: false,
    minWidth: '10rem',
    csv: ({ model_requested }) => model_requested,
    cell: (request) => (
      <>
        <NameLine title={request.model_requested}>{request.model_requested}</NameLine>
        <SecondLine title={request.user_email ?? undefined}>{callerOf(request)}</SecondLine>
        <NarrowOnly>
          <DifferenceMark difference={request.difference} />
          {request.error_code !== null && <code>{request.error_code}</code>}
        </NarrowOnly>
      </>
    ),
  },
  {
    name: 'Difference',
    width: '8.5rem',
    showFrom: 'medium',
    csv: ({ difference }) => differenceName(difference),
    cell: ({ difference }) => <DifferenceMark difference={difference} />,
  },
  {
    name: 'Here',
    width: '20%',
    showFrom: 'medium',
    csv: ({ error_code, model }) => error_code ?? model,
    cell: (request) => <Here request={request} />,
  },
  {
    name: 'There',
    width: '14%',
    showFrom: 'medium',
    csv: (request) => request.other_model ?? outcomeThere(request),
    cell: (request) => (
      <>
        <NameLine>{outcomeThere(request)}</NameLine>
        <SecondLine title={request.other_model ?? undefined}>{request.other_model}</SecondLine>
      </>
    ),
  },
  costColumn('Cost here', ({ cost_usd }) => cost_usd),
  costColumn('Cost there', ({ other_cost_usd }) => other_cost_usd),
  {
    name: 'Received',
    width: '10rem',
    showFrom: 'wide',
    csv: ({ requested_at }) => requested_at,
    cell: ({ requested_at }) => (
      <span className="num quiet" title={formatFullTime(requested_at)}>
        {formatRowTime(requested_at)}
      </span>
    ),
  },
  textColumn('Position', '5.5rem', ({ position }) => position),
  textColumn('Path', '12rem', ({ path }) => path),
  textColumn('Intent', '8rem', ({ intent }) => intent),
  textColumn('Score', '5rem', ({ score_after }) => (score_after === null ? null : formatScore(score_after))),
  textColumn('Input tokens', '7rem', ({ input_tokens }) => input_tokens && formatCount(input_tokens)),
  textColumn('Output tokens', '7.5rem', ({ output_tokens }) => output_tokens && formatCount(output_tokens)),
];

function Here({
  request: { error_code: code, message, model, provider_name: provider },
}: {
  request: ShadowRequest;
}) {
  return code === null ? (
    <>
      <NameLine>Served</NameLine>
      <SecondLine title={[model, provider].filter(Boolean).join(' · ')}>
        {[model, provider].filter(Boolean).join(' · ')}
      </SecondLine>
    </>
  ) : (
    <>
      <NameLine title={code}>{code}</NameLine>
      <SecondLine title={message ?? undefined}>{message}</SecondLine>
    </>
  );
}

import type { BlacklistEntry } from '@sluice/contract';
import { NarrowOnly, timeColumn } from '../../components/data-table/cells.tsx';
import type { Column } from '../../components/data-table/column.ts';
import { Line, SecondLine } from '../../components/ui/lines.tsx';
import { ProviderName } from '../../components/ui/provider-name.tsx';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { providerNameOf } from '../../lib/provider-registry.ts';
import { blockerOf, isComplete } from './find.ts';

export const blacklistColumns: readonly Column<BlacklistEntry>[] = [
  {
    name: 'Provider',
    isPinned: true,
    isHideable: false,
    sortBy: ({ provider_key }) => providerNameOf(provider_key),
    cell: (entry) => (
      <>
        <ProviderName providerKey={entry.provider_key} />
        <NarrowOnly>
          <Pattern entry={entry} />
          <span>{entry.reason}</span>
        </NarrowOnly>
      </>
    ),
  },
  {
    name: 'Model Pattern',
    width: '20%',
    showFrom: 'medium',
    sortBy: ({ model_pattern }) => model_pattern,
    cell: (entry) => <Pattern entry={entry} />,
  },
  {
    name: 'Block Type',
    width: '8rem',
    showFrom: 'medium',
    sortBy: blockTypeOf,
    cell: (entry) => <StatusMark kind={isComplete(entry) ? 'bad' : 'warn'}>{blockTypeOf(entry)}</StatusMark>,
  },
  {
    name: 'Reason',
    width: '25%',
    showFrom: 'medium',
    sortBy: ({ reason }) => reason,
    csv: ({ reason, description }) => (description ? `${reason}: ${description}` : reason),
    cell: ({ reason, description }) => (
      <>
        <Line title={reason}>{reason}</Line>
        {description && <SecondLine title={description}>{description}</SecondLine>}
      </>
    ),
  },
  {
    name: 'Blocked By',
    width: '10rem',
    showFrom: 'wide',
    sortBy: blockerOf,
    cell: (entry) => blockerOf(entry),
  },
  timeColumn('Date', ({ created_at }) => created_at),
];

function blockTypeOf(entry: BlacklistEntry): string {
  return isComplete(entry) ? 'Complete' : 'Partial';
}

function Pattern({ entry }: { entry: BlacklistEntry }) {
  if (isComplete(entry)) return <span className="quiet">All models</span>;
  return (
    <Line title={entry.model_pattern ?? undefined}>
      <code>{entry.model_pattern}</code>
    </Line>
  );
}

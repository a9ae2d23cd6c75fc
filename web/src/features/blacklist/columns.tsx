import type { BlacklistEntry } from '@sluice/contract';
import { NarrowOnly, timeColumn } from '#components/data-table/cells.tsx';
import { type Column, findByText } from '#components/data-table/column.ts';
import { Line, SecondLine } from '#components/ui/lines.tsx';
import { ProviderName } from '#components/ui/provider-name.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { providerNameOf } from '#lib/provider-registry.ts';

/** True if the entry blocks the whole provider. */
export const isComplete = ({ model_pattern }: Pick<BlacklistEntry, 'model_pattern'>): boolean =>
  !model_pattern;

const blockerOf = ({ blocked_by_user_name }: BlacklistEntry): string => blocked_by_user_name || 'Unknown';

export function filterEntries(
  entries: readonly BlacklistEntry[],
  { text, provider }: { text: string; provider: string | undefined },
): readonly BlacklistEntry[] {
  const listed = entries.filter(({ provider_key }) => provider === undefined || provider_key === provider);
  return findByText(listed, text, (entry) => [
    entry.provider_key,
    entry.model_pattern,
    entry.reason,
    entry.description,
    blockerOf(entry),
  ]);
}

export const writePattern = (models: readonly string[]): string =>
  models.length === 1 ? (models[0] ?? '') : `{${models.join(',')}}`;

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
    width: '8rem',
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

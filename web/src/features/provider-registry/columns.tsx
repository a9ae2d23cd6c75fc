import type { ProviderRegistryEntry } from '@sluice/contract';
import { NarrowOnly } from '../../components/data-table/cells.tsx';
import type { Column } from '../../components/data-table/column.ts';
import { Badge } from '../../components/ui/badge.tsx';
import { Line } from '../../components/ui/lines.tsx';
import { ProviderName } from '../../components/ui/provider-name.tsx';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { formatCount } from '../../lib/format-number.ts';

export const registryColumns: readonly Column<ProviderRegistryEntry>[] = [
  {
    name: 'Provider',
    isPinned: true,
    isHideable: false,
    sortBy: ({ display_name }) => display_name,
    cell: (entry) => (
      <>
        <ProviderName providerKey={entry.provider_key} />
        <NarrowOnly>
          <Status {...entry} />
        </NarrowOnly>
      </>
    ),
  },
  {
    name: 'Key',
    width: '9rem',
    showFrom: 'wide',
    sortBy: ({ provider_key }) => provider_key,
    cell: ({ provider_key }) => <code>{provider_key}</code>,
  },
  {
    name: 'Endpoint',
    width: '32%',
    showFrom: 'medium',
    sortBy: ({ default_endpoint }) => default_endpoint,
    cell: ({ default_endpoint }) =>
      default_endpoint === null ? (
        <span className="quiet">Named by each instance</span>
      ) : (
        <Line title={default_endpoint}>{default_endpoint}</Line>
      ),
  },
  {
    name: 'Models',
    width: '5.5rem',
    align: 'end',
    showFrom: 'medium',
    sortBy: ({ supported_models }) => supported_models.length,
    cell: ({ supported_models }) => <span className="num">{formatCount(supported_models.length)}</span>,
  },
  {
    name: 'Origin',
    width: '7rem',
    showFrom: 'medium',
    sortBy: originOf,
    cell: (entry) => <Badge tone={entry.is_built_in ? 'neutral' : 'accent'}>{originOf(entry)}</Badge>,
  },
  {
    name: 'Status',
    width: '7rem',
    showFrom: 'medium',
    sortBy: ({ is_active }) => (is_active ? 'Active' : 'Inactive'),
    cell: (entry) => <Status {...entry} />,
  },
];

function originOf({ is_built_in }: ProviderRegistryEntry): string {
  return is_built_in ? 'Built in' : 'Added';
}

function Status({ is_active }: Pick<ProviderRegistryEntry, 'is_active'>) {
  return <StatusMark kind={is_active ? 'ok' : 'off'}>{is_active ? 'Active' : 'Inactive'}</StatusMark>;
}

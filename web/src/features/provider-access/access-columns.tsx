import type { TeamAccess, UserAccess } from '@sluice/contract';
import type { Column } from '../../components/data-table/column.ts';
import { ProviderName, providerNameOf } from '../../components/ui/provider-name.tsx';
import { formatQuantity } from '../../lib/format-number.ts';
import { formatDay, formatFullTime } from '../../lib/format-time.ts';
import styles from './access-columns.module.css';
import { type Access, holderOf } from './access-queries.ts';
import { AllowedModels } from './allowed-models.tsx';

export const userAccessColumns = listColumns<UserAccess>('User', formatDay);

/** Of teams the time is shown too. */
export const teamAccessColumns = listColumns<TeamAccess>('Team', (instant) =>
  createdFormat.format(new Date(instant)),
);

const createdFormat = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  hour12: true,
});

function listColumns<Row extends Access>(
  holder: 'User' | 'Team',
  formatCreated: (instant: string) => string,
): readonly Column<Row>[] {
  return [
    {
      name: holder,
      isPinned: true,
      isHideable: false,
      sortBy: holderOf,
      cell: (access) => <Holder access={access} />,
    },
    {
      name: 'Provider',
      width: '8.5rem',
      showFrom: 'medium',
      sortBy: ({ provider_key }) => providerNameOf(provider_key),
      cell: ({ provider_key }) => <ProviderName providerKey={provider_key} />,
    },
    {
      name: 'Instance',
      width: '15%',
      showFrom: 'medium',
      sortBy: ({ provider_instance_name }) => provider_instance_name,
      cell: ({ provider_instance_name: name }) => (
        <span className={styles.clipped} title={name}>
          {name}
        </span>
      ),
    },
    {
      name: 'Allowed Models',
      width: '33%',
      showFrom: 'medium',
      sortBy: ({ allowed_models }) => allowed_models.length,
      csv: ({ allowed_models }) => allowed_models.join(' '),
      cell: ({ allowed_models }) => <AllowedModels models={allowed_models} />,
    },
    {
      name: 'Created',
      width: holder === 'Team' ? '11rem' : '7.5rem',
      showFrom: 'wide',
      sortBy: ({ created_at }) => created_at,
      cell: ({ created_at }) => (
        <span className={`num ${styles.quiet}`} title={formatFullTime(created_at)}>
          {formatCreated(created_at)}
        </span>
      ),
    },
  ];
}

function Holder({ access }: { access: Access }) {
  return (
    <>
      <div className={styles.name}>{holderOf(access)}</div>
      <div className={styles.narrow}>
        <span className={styles.clipped}>{access.provider_instance_name}</span>
        <ProviderName providerKey={access.provider_key} />
        <span className="num">{describeModels(access.allowed_models.length)}</span>
      </div>
    </>
  );
}

/** `1 model`, `12 models` */
export const describeModels = (count: number) => formatQuantity(count, 'model');

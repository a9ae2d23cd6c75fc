import type { TeamAccess, UserAccess } from '@sluice/contract';
import { NarrowOnly, timeColumn } from '#components/data-table/cells.tsx';
import type { Column } from '#components/data-table/column.ts';
import { Line, NameLine } from '#components/ui/lines.tsx';
import { ProviderName } from '#components/ui/provider-name.tsx';
import { Tip } from '#components/ui/tip.tsx';
import { formatQuantity } from '#lib/format-number.ts';
import { formatDay, formatDayTime } from '#lib/format-time.ts';
import { providerNameOf } from '#lib/provider-registry.ts';
import styles from './allowed-models.module.css';
import { type Access, holderOf } from './queries.ts';

const shownMax = 3;

export function splitModels(models: readonly string[]): {
  shown: readonly string[];
  more: readonly string[];
} {
  if (models.length <= shownMax) return { shown: models, more: [] };
  return { shown: models.slice(0, shownMax - 1), more: models.slice(shownMax - 1) };
}

export function compareModels(before: readonly string[], after: readonly string[]) {
  return {
    added: after.filter((model) => !before.includes(model)),
    removed: before.filter((model) => !after.includes(model)),
  };
}

export const userAccessColumns = listColumns<UserAccess>('User', formatDay);

/** Dates include the time of day. */
export const teamAccessColumns = listColumns<TeamAccess>('Team', formatDayTime);

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
      cell: ({ provider_instance_name: name }) => <Line title={name}>{name}</Line>,
    },
    {
      name: 'Allowed Models',
      width: '33%',
      showFrom: 'medium',
      sortBy: ({ allowed_models }) => allowed_models.length,
      csv: ({ allowed_models }) => allowed_models.join(' '),
      cell: ({ allowed_models }) => <AllowedModels models={allowed_models} />,
    },
    timeColumn('Created', ({ created_at }) => created_at, {
      format: formatCreated,
      width: holder === 'Team' ? '11rem' : '7.5rem',
    }),
  ];
}

function Holder({ access }: { access: Access }) {
  return (
    <>
      <NameLine>{holderOf(access)}</NameLine>
      <NarrowOnly>
        <span>{access.provider_instance_name}</span>
        <ProviderName providerKey={access.provider_key} />
        <span className="num">{describeModels(access.allowed_models.length)}</span>
      </NarrowOnly>
    </>
  );
}

export const describeModels = (count: number) => formatQuantity(count, 'model');

/** More than three models are shortened to two and a count whose tooltip lists the others. */
function AllowedModels({ models }: { models: readonly string[] }) {
  const { shown, more } = splitModels(models);
  return (
    <div className={styles.models}>
      {shown.map((model) => (
        <code key={model} className={styles.model} title={model}>
          {model}
        </code>
      ))}
      {more.length > 0 && (
        <Tip label={more.join(', ')} multiline maw="24rem">
          <button type="button" className={`num ${styles.more}`}>
            +{more.length} more
          </button>
        </Tip>
      )}
    </div>
  );
}

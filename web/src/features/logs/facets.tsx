import type { LogFacets as Facets, LogEntry } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import type { TableState } from '#components/data-table/use-table-state.ts';
import { Failure } from '#components/ui/notice.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatLabel } from '#lib/format-label.ts';
import { formatCount, formatQuantity } from '#lib/format-number.ts';
import { providerNameOf } from '#lib/provider-registry.ts';
import styles from './facets.module.css';
import { facetsQuery } from './queries.ts';
import { type LogsSearch, logsSearch } from './search.ts';
import { logStatusName } from './status.tsx';

/** Shows values of the filtered requests. Clicking a value toggles a filter. */
export function LogFacets({ state }: { state: TableState<LogsSearch> }) {
  const answer = useQuery(facetsQuery(state.search));
  const { data, isPlaceholderData } = answer;
  const failure = describeFailure(answer, 'Unknown error', 'Error loading logs');
  if (failure && !data) return <Failure {...failure} />;
  return (
    <section className={styles.facets} aria-label="Facets" aria-busy={!data || isPlaceholderData}>
      {facets.map((facet) => (
        <Facet key={facet.name} facet={facet} values={data?.[facet.source]} state={state} />
      ))}
      {data && isPlaceholderData && <p className={styles.note}>Counting...</p>}
      {data && !data.is_whole && (
        <p className={styles.note}>Based on the newest {formatQuantity(data.rows, 'request')}.</p>
      )}
    </section>
  );
}

interface FacetKind {
  title: string;
  /** A click on a value toggles this filter. */
  name: 'status' | 'model' | 'provider' | 'intent' | 'reason' | 'label';
  source: Exclude<keyof Facets, 'rows' | 'is_whole'>;
  say: (value: string) => string;
}

// safe because the server returns only statuses of the contract
const describeStatus = (value: string) => logStatusName(value as LogEntry['status']);

const facets: readonly FacetKind[] = [
  { title: 'Status', name: 'status', source: 'status', say: describeStatus },
  { title: 'Model', name: 'model', source: 'model', say: String },
  { title: 'Provider', name: 'provider', source: 'provider_key', say: providerNameOf },
  { title: 'Intent', name: 'intent', source: 'intent_classification', say: formatLabel },
  { title: 'Reason', name: 'reason', source: 'error_code', say: formatLabel },
  { title: 'Label', name: 'label', source: 'label', say: String },
];

const shownMax = 6;

interface FacetProps {
  facet: FacetKind;
  values: readonly { value: string; count: number }[] | undefined;
  state: TableState<LogsSearch>;
}

function Facet({ facet: { title, name, say }, values, state }: FacetProps) {
  const { search, change } = state;
  const choose = (value: string) =>
    change({ [name]: logsSearch.parse({ [name]: search[name] === value ? undefined : value })[name] });
  return (
    <div>
      <h2 className={styles.title}>{title}</h2>
      {values?.length === 0 && <p className={styles.note}>None</p>}
      {values === undefined && <p className={styles.note}>Counting...</p>}
      <ul className={styles.values}>
        {values?.slice(0, shownMax).map(({ value, count }) => (
          <li key={value}>
            <button
              type="button"
              className={styles.value}
              aria-pressed={search[name] === value}
              onClick={() => choose(value)}
            >
              <span className={styles.name} title={say(value)}>
                {say(value)}
              </span>
              <span className="num">{formatCount(count)}</span>
            </button>
          </li>
        ))}
      </ul>
      {values && values.length > shownMax && <p className={styles.note}>{values.length - shownMax} more</p>}
    </div>
  );
}

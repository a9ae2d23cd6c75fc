import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import type { TableState } from '../../components/data-table/use-table-state.ts';
import { formatLabel } from '../../lib/format-label.ts';
import { isBuiltInProvider, providerNameOf, providerRegistryQuery } from '../../lib/provider-registry.ts';
import styles from './narrowings.module.css';
import type { LogsSearch } from './search.ts';

/** Filters set by a link from another page; each can be removed. */
export function LogNarrowings({ state: { search, change } }: { state: TableState<LogsSearch> }) {
  const { provider } = search;
  const isKnown = provider === undefined || isBuiltInProvider(provider);
  useQuery({ ...providerRegistryQuery, enabled: !isKnown, staleTime: Infinity });
  const set = narrowings.flatMap(({ name, say }) => {
    const text = say(search);
    return text === null ? [] : [{ name, text }];
  });
  if (set.length === 0) return null;
  return (
    <ul className={styles.narrowings} aria-label="More filters">
      {set.map(({ name, text }) => (
        <li key={name}>
          <Button
            variant="light"
            className={styles.narrowing}
            aria-label={`Remove the filter ${text}`}
            rightSection={<X size={14} strokeWidth={1.5} aria-hidden />}
            onClick={() => change({ [name]: undefined })}
          >
            {text}
          </Button>
        </li>
      ))}
    </ul>
  );
}

interface Narrowing {
  name: keyof LogsSearch;
  say: (search: LogsSearch) => string | null;
}

const narrowings: readonly Narrowing[] = [
  { name: 'intent', say: ({ intent }) => (intent === undefined ? null : `Intent: ${formatLabel(intent)}`) },
  {
    name: 'provider',
    say: ({ provider }) => (provider === undefined ? null : `Provider: ${providerNameOf(provider)}`),
  },
  { name: 'task', say: ({ task }) => (task === undefined ? null : `Task #${task}`) },
  { name: 'team', say: ({ team }) => (team === undefined ? null : `Granted to team #${team}`) },
  { name: 'reason', say: ({ reason }) => (reason === undefined ? null : `Reason: ${formatLabel(reason)}`) },
  {
    name: 'key',
    say: ({ key }) => (key === undefined ? null : key ? 'With an API key' : 'From the console'),
  },
];

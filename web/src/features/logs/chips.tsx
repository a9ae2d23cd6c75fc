import { Button } from '@mantine/core';
import { type LogQuery, logQueryFields, parseLogQuery } from '@sluice/contract';
import { X } from 'lucide-react';
import type { TableState } from '#components/data-table/use-table-state.ts';
import { formatLabel } from '#lib/format-label.ts';
import { providerNameOf } from '#lib/provider-registry.ts';
import type { UsageChoices } from '#lib/usage-choices.ts';
import styles from './filters.module.css';
import { lineOf, withoutFields } from './query-line.ts';
import type { LogsSearch } from './search.ts';
import { logStatusName } from './status.tsx';

interface LogChipsProps {
  state: TableState<LogsSearch>;
  users: readonly { id: number; name: string }[];
  choices: UsageChoices;
}

/** Includes the filters of the query line. Each chip removes its filter. */
export function LogChips({ state: { search, change }, users, choices }: LogChipsProps) {
  const chips = [...listChosen(search, users, choices), ...listTerms(search)];
  if (chips.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label="Active filters">
      {chips.map(({ text, removal }) => (
        <li key={text}>
          <Button
            variant="light"
            className={styles.chip}
            aria-label={`Remove the filter ${text}`}
            rightSection={<X size={14} strokeWidth={1.5} aria-hidden />}
            onClick={() => change(removal)}
          >
            <span className={styles.text}>{text}</span>
          </Button>
        </li>
      ))}
    </ul>
  );
}

interface Chip {
  readonly text: string;
  readonly removal: Partial<LogsSearch>;
}

function listChosen(
  search: LogsSearch,
  users: LogChipsProps['users'],
  { tasks, teams }: UsageChoices,
): Chip[] {
  const nameIn = (named: readonly { id: number; name: string }[], id: number) =>
    named.find((one) => one.id === id)?.name ?? `#${id}`;
  const { apiKey, end, intent, key, label, model, provider, reason, start, status, task, team, user } =
    search;
  const texts: Partial<Record<keyof LogsSearch, string | undefined>> = {
    user: say(user, (id) => `User: ${nameIn(users, id)}`),
    team: say(team, (id) => `Team: ${nameIn(teams, id)}`),
    task: say(task, (id) => `Task: ${nameIn(tasks, id)}`),
    model: say(model, (name) => `Model: ${name}`),
    provider: say(provider, (name) => `Provider: ${providerNameOf(name)}`),
    status: say(
      status,
      (name) => `Status: ${name === 'admitted' ? 'All except refused' : logStatusName(name)}`,
    ),
    intent: say(intent, (name) => `Intent: ${formatLabel(name)}`),
    reason: say(reason, (name) => `Reason: ${formatLabel(name)}`),
    label: say(label, (pair) => `Label: ${pair}`),
    apiKey: say(apiKey, (id) => `API key #${id}`),
    key: say(key, (isKey) => (isKey ? 'With an API key' : 'From the console')),
  };
  const chips = Object.entries(texts).flatMap(([name, text]) =>
    text ? [{ text, removal: { [name]: undefined } }] : [],
  );
  const isRange = start !== undefined && end !== undefined && start <= end;
  return isRange
    ? [...chips, { text: `${start} to ${end}`, removal: { start: undefined, end: undefined } }]
    : chips;
}

const say = <Value,>(value: Value | undefined, text: (value: Value) => string) =>
  value === undefined ? undefined : text(value);

function listTerms(search: LogsSearch): Chip[] {
  const { filters } = parseLogQuery(lineOf(search));
  const chipOf = (text: string, field: keyof LogQuery) => ({ text, removal: withoutFields(search, [field]) });
  const terms = [...logQueryFields].flatMap(([sign, field]) =>
    filters[field] === undefined ? [] : [chipOf(`${sign}${filters[field]}`, field)],
  );
  return filters.search ? [...terms, chipOf(`“${filters.search}”`, 'search')] : terms;
}

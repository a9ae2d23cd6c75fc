import { type AuditEntry, auditedAmounts } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { DetailsDrawer } from '#components/data-table/details-drawer.tsx';
import type { DataTableModel } from '#components/data-table/use-data-table.ts';
import { Fact, FactList } from '#components/ui/fact-list.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { capitalize, formatLabel } from '#lib/format-label.ts';
import { formatUsd, formatWithMeasure, measureNames } from '#lib/format-money.ts';
import { formatCount } from '#lib/format-number.ts';
import { formatFullTime } from '#lib/format-time.ts';
import styles from './drawer.module.css';
import { auditEntryQuery } from './queries.ts';

/** Labels of read operations. Their names state what they return rather than an action. */
const readingLabels: Readonly<Record<string, string>> = {
  getLog: 'Read request',
  explainLog: 'Read explanation of request',
  listLogs: 'Read list of requests',
  listCorrections: 'Export corrected prompts',
};

/**
 * Formats an action name as words, for example `blockUser` as `Block user`. Entries without an action are described
 * by their kind of change.
 */
export function describeAction({ action, before, after }: AuditEntry): string {
  if (action !== null) return readingLabels[action] ?? splitName(action);
  if (before === null) return 'Created';
  return after === null ? 'Deleted' : 'Changed';
}

const objectLabels: Readonly<Record<string, string>> = { api_key: 'API key', llm_provider: 'LLM provider' };

export const objectTypeLabel = (type: string): string => objectLabels[type] ?? formatLabel(type);

/**
 * Formats the changed object as `User Mara Lind`, or as `User 12` if the object has no name. Prompts are named by
 * their users.
 */
export function describeObject({ object_type, object_name, object_id }: AuditEntry): string {
  if (object_type === 'prompt_list' && object_name !== null) return `Prompts of ${object_name}`;
  if (object_type === 'prompt' && object_name !== null) return `Prompt of ${object_name}`;
  return `${objectTypeLabel(object_type)} ${object_name ?? object_id}`;
}

export function describeActor({ actor_name, actor_id }: AuditEntry): string {
  return actor_name ?? (actor_id === null ? 'The system' : `User #${actor_id}`);
}

export interface ColumnChange {
  name: string;
  before: string | null;
  after: string | null;
}

/** Returns the changed columns with their values. Values are `null` before a creation and after a deletion. */
export function listChanges({ before, after, measure }: AuditEntry): readonly ColumnChange[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const describe = (name: string, value: unknown) =>
    describeAmount(name, value, measure) ?? describeValue(value);
  return names.map((name) => ({
    name,
    before: before && describe(name, before[name]),
    after: after && describe(name, after[name]),
  }));
}

/**
 * Formats an amount as on its own page, for example `$50.38` or `500,000 tokens`. Returns `null` for a value that is
 * not an amount.
 */
function describeAmount(name: string, value: unknown, measure: AuditEntry['measure']): string | null {
  if (name === 'measure' && measure !== null && value === measure) return measureNames[measure];
  if (typeof value !== 'number') return null;
  const kind = auditedAmounts[name];
  if (kind === 'money') return formatUsd(value);
  if (kind === 'limit' && measure !== null) return formatWithMeasure({ measure }, value);
  return kind === 'count' ? formatCount(value) : null;
}

function describeValue(value: unknown): string {
  if (value === null || value === undefined) return '—';
  if (Array.isArray(value)) return value.length === 0 ? '—' : value.map(describeValue).join(', ');
  if (typeof value === 'object') return JSON.stringify(value, toDollars);
  const text = String(value);
  return isInstant(text) ? formatFullTime(text) : text;
}

/** Formats nano-dollar amounts inside JSON values, such as the totals of a shadow run. */
const toDollars = (name: string, value: unknown) =>
  name.endsWith('_nano_usd') && value !== null ? formatUsd(Number(value) / 1e9) : value;

const isInstant = (text: string) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text));

function splitName(name: string): string {
  const words = name
    .replaceAll(/([A-Z])/g, ' $1')
    .toLowerCase()
    .replaceAll(acronyms, (word) => word.toUpperCase());
  return capitalize(words);
}

const acronyms = /\b(?:api|csv|llm|scim|totp)\b/g;

interface AuditDrawerProps {
  model: DataTableModel<AuditEntry>;
  id: number;
  timeZone: string;
}

export function AuditDrawer({ model, id, timeZone }: AuditDrawerProps) {
  const answer = useQuery(auditEntryQuery(id));
  const { data: entry } = answer;
  const failure = describeFailure(answer, 'The change could not be loaded');
  return (
    <DetailsDrawer model={model} label="Change details" heading={<Heading entry={entry} />}>
      {failure && <Failure {...failure} />}
      {!entry && !failure && <SkeletonLines count={5} />}
      {entry && (
        <>
          <Facts entry={entry} timeZone={timeZone} />
          <Changes entry={entry} />
        </>
      )}
    </DetailsDrawer>
  );
}

function Heading({ entry }: { entry: AuditEntry | undefined }) {
  return (
    <>
      <h2>{entry ? describeAction(entry) : 'Change details'}</h2>
      {entry && <p className="quiet">{describeObject(entry)}</p>}
    </>
  );
}

function Facts({ entry, timeZone }: { entry: AuditEntry; timeZone: string }) {
  return (
    <div className={styles.facts}>
      <FactList>
        <Fact name="Actor">{[describeActor(entry), entry.actor_email].filter(Boolean).join(' · ')}</Fact>
        <Fact name="When">{formatFullTime(entry.created_at, timeZone)}</Fact>
        <Fact name="From">{entry.address ?? 'The system'}</Fact>
        <Fact name="Request">{entry.request_id ?? 'None'}</Fact>
        <Fact name="Object">{`${objectTypeLabel(entry.object_type)} ${entry.object_id}`}</Fact>
      </FactList>
    </div>
  );
}

function Changes({ entry }: { entry: AuditEntry }) {
  const changes = listChanges(entry);
  return (
    <table className={styles.changes} aria-label="Changed fields">
      <thead>
        <tr>
          <th scope="col">Field</th>
          {entry.before && <th scope="col">Before</th>}
          {entry.after && <th scope="col">{entry.before ? 'After' : 'Value'}</th>}
        </tr>
      </thead>
      <tbody>
        {changes.map(({ name, before, after }) => (
          <tr key={name}>
            <th scope="row">{formatLabel(name)}</th>
            {before !== null && <td className={styles.before}>{before}</td>}
            {after !== null && <td>{after}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

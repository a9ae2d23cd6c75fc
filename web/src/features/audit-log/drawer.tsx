import { type AuditEntry, type AuditEntryDetails, auditedAmounts } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { DetailsDrawer } from '#components/data-table/details-drawer.tsx';
import type { DataTableModel } from '#components/data-table/use-data-table.ts';
import { Fact, FactList } from '#components/ui/fact-list.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatLabel } from '#lib/format-label.ts';
import { formatUsd, formatWithMeasure, measureNames } from '#lib/format-money.ts';
import { formatCount } from '#lib/format-number.ts';
import { formatFullTime } from '#lib/format-time.ts';
import styles from './drawer.module.css';
import { fieldLabel, labelResults, toTitle, valueLabel } from './field-label.ts';
import { auditEntryQuery } from './queries.ts';

/** Names of read operations state what they return rather than an action. */
const readingLabels: Readonly<Record<string, string>> = {
  getLog: 'Read request',
  explainLog: 'Read explanation of request',
  listLogs: 'Read list of requests',
  listCorrections: 'Export corrected prompts',
};

/** Formats `blockUser` as `Block user`. Entries without an action are formatted as `User created`. */
export function describeAction({ action, object_type, before, after }: AuditEntry): string {
  if (action !== null) return readingLabels[action] ?? splitName(action);
  const object = objectTypeLabel(object_type).toLowerCase();
  if (before === null) return toTitle(`create ${object}`);
  return toTitle(`${after === null ? 'delete' : 'update'} ${object}`);
}

const objectLabels: Readonly<Record<string, string>> = { api_key: 'API key', llm_provider: 'LLM provider' };

export const objectTypeLabel = (type: string): string => objectLabels[type] ?? formatLabel(type);

/** Returns `User Mara Lind`, or `User 12` if the object has no name. Prompts are named by their users. */
export function describeObject({ object_type, object_name, object_id }: AuditEntry): string {
  if (object_type === 'prompt_list' && object_name !== null) return `Prompts of ${object_name}`;
  if (object_type === 'prompt' && object_name !== null) return `Prompt of ${object_name}`;
  return `${objectTypeLabel(object_type)} ${object_name ?? object_id}`;
}

/** Entries without an actor have an address if the caller was not signed in, for example with an invitation link. */
export function describeActor({ actor_name, actor_id, address }: AuditEntry): string {
  if (actor_name !== null) return actor_name;
  if (actor_id !== null) return `User #${actor_id}`;
  return address === null ? 'The system' : 'Not signed in';
}

export interface ColumnChange {
  name: string;
  before: string | null;
  after: string | null;
}

export const listColumns = ({ before, after }: Pick<AuditEntry, 'before' | 'after'>): string[] => [
  ...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]),
];

/** Values are `null` on the side where the row did not exist. */
export function listChanges(entry: AuditEntryDetails): readonly ColumnChange[] {
  const { before, after, measure } = entry;
  const describeOne = (name: string, value: unknown) =>
    describeAmount(name, value, measure) ?? describeLink(name, value, entry) ?? describeValue(name, value);
  const describe = (name: string, value: unknown) =>
    name.endsWith('_ids') && Array.isArray(value)
      ? value.map((id) => describeOne(name, id)).join(', ') || '—'
      : describeOne(name, value);
  return listColumns(entry).map((name) => ({
    name,
    before: before && describe(name, before[name]),
    after: after && describe(name, after[name]),
  }));
}

/** Formats an amount as on its own page. Returns `null` for a value that is not an amount. */
function describeAmount(name: string, value: unknown, measure: AuditEntry['measure']): string | null {
  if (name === 'measure' && measure !== null && value === measure) return measureNames[measure];
  if (typeof value !== 'number') return null;
  const kind = auditedAmounts[name];
  if (kind === 'money') return formatUsd(value);
  if (kind === 'limit' && measure !== null) return formatWithMeasure({ measure }, value);
  return kind === 'count' ? formatCount(value) : null;
}

/** Returns the name of another object if it still exists, else its number. */
function describeLink(
  name: string,
  value: unknown,
  { actor_id, actor_name, link_names }: AuditEntryDetails,
): string | null {
  if (typeof value !== 'number' || !/_(?:ids?|by)$/.test(name)) return null;
  const isActor = name.endsWith('_by') && value === actor_id;
  const found = link_names[name]?.[value] ?? (isActor ? actor_name : null);
  return found === null ? `#${value}` : name === 'role_id' ? formatLabel(found) : found;
}

function describeValue(name: string, value: unknown): string {
  if (value === null || value === undefined) return '—';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (Array.isArray(value))
    return value.length === 0 ? '—' : value.map((one) => describeValue(name, one)).join(', ');
  if (typeof value === 'object') return describeObjectValue(name, value);
  const text = String(value);
  return isInstant(text) ? formatFullTime(text) : valueLabel(name, text);
}

/** Keys that users choose, such as those of labels, are shown unchanged. */
function describeObjectValue(column: string, value: object): string {
  const entries = Object.entries(value);
  if (entries.some(([, one]) => typeof one === 'object' && one !== null)) return JSON.stringify(value);
  const parts =
    column === 'sums' ? labelResults(value) : entries.map(([key, one]) => [key, key, one] as const);
  return entries.length === 0
    ? '—'
    : parts.map(([label, key, one]) => `${label}: ${describePart(key, one)}`).join(', ');
}

function describePart(key: string, value: unknown): string {
  if (value !== null && key.endsWith('_nano_usd')) return formatUsd(Number(value) / 1e9);
  return typeof value === 'number' ? formatCount(value) : describeValue(key, value);
}

const isInstant = (text: string) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text));

function splitName(name: string): string {
  return toTitle(name.replaceAll(/([A-Z])/g, ' $1').toLowerCase());
}

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

function Changes({ entry }: { entry: AuditEntryDetails }) {
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
            <th scope="row">{fieldLabel(name)}</th>
            {before !== null && <td className={styles.before}>{before}</td>}
            {after !== null && <td>{after}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

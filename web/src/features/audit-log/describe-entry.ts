import type { AuditEntry } from '@sluice/contract';
import { formatLabel } from '../../lib/format-label.ts';
import { formatFullTime } from '../../lib/format-time.ts';

/** Labels of read operations, which are named after what they return. */
const readingLabels: Readonly<Record<string, string>> = {
  getLog: 'Read request',
  explainLog: 'Read explanation of request',
  listLogs: 'Read list of requests',
  listCorrections: 'Export corrected prompts',
};

/** Formats `blockUser` as `Block user`; entries without an action by the kind of change. */
export function describeAction({ action, before, after }: AuditEntry): string {
  if (action !== null) return readingLabels[action] ?? splitName(action);
  if (before === null) return 'Created';
  return after === null ? 'Deleted' : 'Changed';
}

const objectLabels: Readonly<Record<string, string>> = { api_key: 'API key', llm_provider: 'LLM provider' };

export const objectTypeLabel = (type: string): string => objectLabels[type] ?? formatLabel(type);

/** `User Mara Lind`, or `User 12` if it has no name. */
export function describeObject({ object_type, object_name, object_id }: AuditEntry): string {
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

/** Returns the changed columns with their values; `null` on the side where the row did not exist. */
export function listChanges({ before, after }: AuditEntry): readonly ColumnChange[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names.map((name) => ({
    name,
    before: before && describeValue(before[name]),
    after: after && describeValue(after[name]),
  }));
}

function describeValue(value: unknown): string {
  if (value === null || value === undefined) return '—';
  if (Array.isArray(value)) return value.length === 0 ? '—' : value.map(describeValue).join(', ');
  if (typeof value === 'object') return JSON.stringify(value);
  const text = String(value);
  return isInstant(text) ? formatFullTime(text) : text;
}

const isInstant = (text: string) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text));

function splitName(name: string): string {
  const words = name.replaceAll(/([A-Z])/g, ' $1').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

import type { TenantPlan } from './change-tenant.ts';
import type { FieldChange, PlannedChange } from './diff.ts';

const signs = { create: '+', update: '~', delete: '-' } as const;
const valueMax = 200;

export interface PlanSummary {
  readonly create: number;
  readonly update: number;
  readonly delete: number;
}

export function summarize(plans: readonly TenantPlan[]): PlanSummary {
  const changes = plans.flatMap((plan) => plan.changes);
  const count = (wanted: PlannedChange['action']) => changes.filter(({ action }) => action === wanted).length;
  return { create: count('create'), update: count('update'), delete: count('delete') };
}

export const countChanges = (plans: readonly TenantPlan[]) => plans.flatMap(({ changes }) => changes).length;

export interface PlanWords {
  readonly isPlan: boolean;
  readonly prunes: boolean;
  readonly releases: boolean;
}

/** Formats the changes of all tenants without ids and secrets. */
export function formatPlans(plans: readonly TenantPlan[], { isPlan, prunes, releases }: PlanWords): string {
  const lines = plans.flatMap(({ slug, changes }) =>
    changes.length === 0 ? [] : [`Tenant ${slug}`, ...changes.flatMap(formatChange), ''],
  );
  const { create, update, delete: deleted } = summarize(plans);
  const adopted = plans.reduce((sum, plan) => sum + plan.adopted, 0);
  if (adopted > 0)
    lines.push(
      `${count(adopted, 'existing object')} ${isPlan ? 'would be' : adopted === 1 ? 'is' : 'are'} managed by the file from now on.`,
    );
  const unlisted = plans.flatMap((plan) => plan.unlisted);
  if (unlisted.length > 0 && releases)
    lines.push(
      `${count(unlisted.length, 'object')} that the file does not list can be changed in the console again.`,
    );
  else if (unlisted.length > 0 && !prunes)
    lines.push(
      `${count(unlisted.length, 'managed object')} ${unlisted.length === 1 ? 'is' : 'are'} no longer listed. Use --prune to delete, or --release to manage in the console again.`,
    );
  if (create + update + deleted === 0)
    return [...lines, 'Nothing to do: the installation matches the configuration.'].join('\n');
  lines.push(
    isPlan
      ? `Plan: ${create} to create, ${update} to change, ${deleted} to delete.`
      : `Applied: ${create} created, ${update} changed, ${deleted} deleted.`,
  );
  return lines.join('\n');
}

const count = (amount: number, noun: string) =>
  `${amount.toLocaleString('en-US')} ${noun}${amount === 1 ? '' : 's'}`;

function formatChange({ action, fields, kind, title }: PlannedChange): string[] {
  const name = kind.name.replaceAll('_', ' ');
  const head = `  ${signs[action]} ${title === '' ? name : `${name} ${JSON.stringify(title)}`}`;
  return [
    head,
    ...Object.entries(fields).map(([field, change]) => `      ${formatField(action, field, change)}`),
  ];
}

function formatField(action: PlannedChange['action'], name: string, { from, to }: FieldChange): string {
  return action === 'create'
    ? `${name}: ${formatValue(to)}`
    : `${name}: ${formatValue(from)} -> ${formatValue(to)}`;
}

function formatValue(value: unknown): string {
  if (typeof value === 'string' && value.startsWith('(')) return value;
  const text = JSON.stringify(value) ?? 'null';
  return text.length > valueMax ? `${text.slice(0, valueMax)}…` : text;
}

export function toJson(plans: readonly TenantPlan[]): object {
  return {
    changes: plans.flatMap(({ slug, changes }) =>
      changes.map(({ action, fields, kind, title }) => ({
        tenant: slug,
        action,
        kind: kind.name,
        name: title,
        fields,
      })),
    ),
    summary: summarize(plans),
    adopted: plans.reduce((sum, plan) => sum + plan.adopted, 0),
    unlisted: plans.flatMap(({ slug, unlisted }) =>
      unlisted.map(({ file, kind, name }) => ({ tenant: slug, kind, name, file })),
    ),
  };
}

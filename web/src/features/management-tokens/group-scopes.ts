import type { ManagementScope } from '@sluice/contract';
import { formatLabel } from '#lib/format-label.ts';

interface ScopeAction {
  readonly scope: ManagementScope;
  readonly kind: 'read' | 'write' | 'all';
  readonly label: string;
}

export interface ScopeGroup {
  readonly subject: string;
  readonly label: string;
  readonly actions: readonly ScopeAction[];
}

/** These labels differ from the subject in the scope name. */
const labels: Readonly<Record<string, string>> = {
  account: 'Own account',
  'api-keys': 'API keys',
  audit: 'Audit log',
  credits: 'Tenant credits',
  logs: 'System logs',
  platform: 'All tenants',
  providers: 'LLM providers',
  scim: 'SCIM',
};

const actionLabels = { read: 'Read', write: 'Write', all: 'Read and write' };

function describeAction(scope: ManagementScope): ScopeAction {
  const kind = scope.endsWith(':read') ? 'read' : scope.endsWith(':write') ? 'write' : 'all';
  return { scope, kind, label: actionLabels[kind] };
}

export function groupScopes(scopes: readonly ManagementScope[]): ScopeGroup[] {
  const bySubject = Map.groupBy(scopes, (scope) => scope.split(':')[0] ?? scope);
  return [...bySubject]
    .map(([subject, ofSubject]) => ({
      subject,
      label: labels[subject] ?? formatLabel(subject.replaceAll('-', '_')),
      actions: ofSubject.map(describeAction),
    }))
    .toSorted((one, other) => one.label.localeCompare(other.label, 'en-US'));
}

/** Example: `Budgets (read), Users (read, write)`. */
export function describeScopes(scopes: readonly ManagementScope[]): string {
  return groupScopes(scopes)
    .map(
      ({ label, actions }) => `${label} (${actions.map((action) => action.label.toLowerCase()).join(', ')})`,
    )
    .join(', ');
}

import { type ManagedObjects, managedObjectsRoutes } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { createApiClient } from '#lib/api.ts';
import { formatQuantity } from '#lib/format-number.ts';
import { Notice } from '../ui/notice.tsx';
import type { ManagedPage } from './managed-pages.ts';

const calls = createApiClient(managedObjectsRoutes);

type Nouns = Readonly<Record<string, readonly [one: string, many: string]>>;

/** Nouns for the managed object kinds, by page. */
const nounsByPage: Readonly<Record<ManagedPage, Nouns>> = {
  users: { user: ['user', 'users'] },
  teams: { team: ['team', 'teams'] },
  'service-accounts': { service_account: ['service account', 'service accounts'] },
  'provider-access': {
    team_grant: ['team grant', 'team grants'],
    user_grant: ['user grant', 'user grants'],
  },
  blacklist: { blacklist_entry: ['entry', 'entries'] },
  budgets: { budget: ['budget', 'budgets'], default_budget: ['default', 'defaults'] },
  tasks: { task: ['task', 'tasks'] },
  'llm-providers': { provider: ['provider', 'providers'] },
  'identity-providers': {
    identity_provider: ['identity provider', 'identity providers'],
    domain: ['domain', 'domains'],
  },
};

/** Names the configuration files that manage objects of the page. Such objects are read-only in the console. */
export function ManagedNote({ page }: { page: ManagedPage }) {
  const { data = [] } = useQuery({
    queryKey: ['managed-objects'],
    queryFn: ({ signal }) => calls.listManagedObjects(undefined, { signal }),
    staleTime: 60_000,
  });
  const nouns = nounsByPage[page];
  const files = Map.groupBy(
    data.filter(({ kind }) => Object.hasOwn(nouns, kind)),
    ({ file }) => file,
  );
  return [...files].map(([file, managed]) => (
    <Notice key={file} kind="off" title={describeManaged(managed, nouns)}>
      Read-only here. Applied from <code>{file}</code>: change the file, and apply it again.
    </Notice>
  ));
}

function describeManaged(managed: readonly ManagedObjects[], nouns: Nouns): string {
  const counted = managed.map(({ kind, objects }) => {
    const [one, many] = nouns[kind] ?? [kind, kind];
    return formatQuantity(objects, one, many);
  });
  return `Managed by a configuration file: ${counted.join(', ')}`;
}

import {
  type CurrentUser,
  llmProvidersRoutes,
  type Permission,
  tasksRoutes,
  teamsRoutes,
  type User,
  usersRoutes,
} from '@sluice/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Box, type LucideIcon, School, Settings2, SquareCheck, UserRound, Wallet } from 'lucide-react';
import {
  ApiKeyIcon,
  BlockIcon,
  EditIcon,
  GiveAccessIcon,
  PasswordIcon,
} from '#components/ui/action-icons.ts';
import { createApiClient } from '#lib/api.ts';
import { loadPages } from '#lib/load-pages.ts';
import { findCommands, type Group, type Place, rank } from './commands.ts';

const calls = {
  users: createApiClient(usersRoutes),
  teams: createApiClient(teamsRoutes),
  tasks: createApiClient(tasksRoutes),
  providers: createApiClient(llmProvidersRoutes),
};

const typedMin = 2;
const shownMax = 6;
const staleMs = 60_000;
const teamsPageSize = 100;

/** Objects are loaded with the first search and then searched in the browser. */
interface ObjectKind {
  readonly group: Group;
  readonly permission: Permission;
  readonly load: (signal: AbortSignal) => Promise<Place[]>;
}

const placeOf = (
  group: Group,
  icon: LucideIcon,
  { id, label, detail, href }: Pick<Place, 'id' | 'label' | 'href'> & { detail?: string },
): Place => ({ id, group, label, href, icon, ...(detail === undefined ? {} : { detail }) });

const objectKinds: readonly ObjectKind[] = [
  {
    group: 'Teams',
    permission: 'teams.write',
    load: async (signal) =>
      (
        await loadPages(
          teamsPageSize,
          async (query) => (await calls.teams.listTeams({ query }, { signal })).teams,
        )
      ).map(({ id, name }) =>
        placeOf('Teams', School, { id: `team-${id}`, label: name, href: `/admin/teams?open=${id}` }),
      ),
  },
  {
    group: 'Tasks',
    permission: 'tasks.read',
    load: async (signal) =>
      (await calls.tasks.listTasks({ query: {} }, { signal })).map(({ id, title }) =>
        placeOf('Tasks', SquareCheck, { id: `task-${id}`, label: title, href: `/admin/tasks?open=${id}` }),
      ),
  },
  {
    group: 'Models',
    permission: 'providers.read',
    load: async (signal) =>
      (await calls.providers.listLlmProviders(undefined, { signal })).flatMap(
        ({ id, provider_instance_name: detail, enabled_models }) =>
          enabled_models.map((model) =>
            placeOf('Models', Box, {
              id: `model-${id}-${model}`,
              label: model,
              detail,
              href: `/admin/llm-providers?tab=models&filter=${encodeURIComponent(model)}`,
            }),
          ),
      ),
  },
];

const settings: readonly { label: string; words: string }[] = [
  { label: 'Tenant name', words: 'organization company' },
  { label: 'Time zone', words: 'days and months midnight' },
  { label: 'Default limits of new users', words: 'quota tokens requests' },
  { label: 'Prompts and retention', words: 'privacy days delete keep' },
  { label: 'Longest answer', words: 'output tokens cap' },
  { label: 'Trusted models', words: 'uncertain intent' },
  { label: 'Markup', words: 'percent price' },
  { label: 'Deviation policy', words: 'score block warn threshold' },
];

const settingPlaces = settings.map(
  ({ label, words }): Place => ({
    ...placeOf('Settings', Settings2, { id: `setting-${label}`, label, href: '/admin/settings' }),
    words: `settings ${words}`,
  }),
);

const usersQuery = queryOptions({
  queryKey: ['palette', 'users'],
  queryFn: ({ signal }) => calls.users.listUsers({ query: {} }, { signal }),
  staleTime: staleMs,
});

interface UserAction {
  verbs: readonly string[];
  label: string;
  act: string;
  icon: LucideIcon;
  /** If absent, the action applies to all users. */
  isFor?: (user: User) => boolean;
}

/** Typing one of the verbs selects the action. */
const userActions: readonly UserAction[] = [
  { verbs: ['block'], label: 'Block', act: 'block', icon: BlockIcon, isFor: ({ is_blocked }) => !is_blocked },
  { verbs: ['edit', 'rename'], label: 'Edit', act: 'edit', icon: EditIcon },
  {
    verbs: ['change limits', 'lower limits', 'raise limits', 'lower limit', 'raise limit', 'limit'],
    label: 'Change the limits of',
    act: 'edit',
    icon: EditIcon,
  },
  {
    verbs: ['create key', 'create api key', 'api key'],
    label: 'Create API key for',
    act: 'api-key',
    icon: ApiKeyIcon,
  },
  { verbs: ['give access'], label: 'Give access to', act: 'access', icon: GiveAccessIcon },
  {
    verbs: ['set password', 'change password'],
    label: 'Set the password of',
    act: 'password',
    icon: PasswordIcon,
    isFor: ({ kind }) => kind !== 'service',
  },
];

const creations: readonly (Pick<Place, 'id' | 'label' | 'href' | 'icon'> & { permission: Permission })[] = [
  {
    id: 'create-user',
    label: 'Create user',
    href: '/admin/users?add=create',
    icon: UserRound,
    permission: 'users.write',
  },
  {
    id: 'invite-users',
    label: 'Invite users',
    href: '/admin/users?add=invite',
    icon: UserRound,
    permission: 'users.write',
  },
  {
    id: 'create-team',
    label: 'Create team',
    href: '/admin/teams?add=create',
    icon: School,
    permission: 'teams.write',
  },
  {
    id: 'create-task',
    label: 'Create task',
    href: '/admin/tasks?add=create',
    icon: SquareCheck,
    permission: 'tasks.write',
  },
  {
    id: 'create-budget',
    label: 'Create budget',
    href: '/admin/budgets?add=create',
    icon: Wallet,
    permission: 'budgets.write',
  },
];

interface FoundObjects {
  places: readonly Place[];
  isSearching: boolean;
  /** Kind of objects that could not be loaded, and the error. */
  failure: { what: string; error: Error } | null;
}

/** Includes user actions such as `block mara`. */
export function useObjectPlaces({ role }: CurrentUser, typed: string): FoundObjects {
  const may = (permission: Permission) => role.permissions.includes(permission);
  const isAsked = typed.trim().length >= typedMin;
  const users = useQuery({ ...usersQuery, enabled: isAsked && may('users.read') });
  const others = useQuery({
    queryKey: ['palette', 'objects', objectKinds.filter(({ permission }) => may(permission)).length],
    queryFn: async ({ signal }) => {
      const allowed = objectKinds.filter(({ permission }) => may(permission));
      return (await Promise.all(allowed.map(({ load }) => load(signal)))).flat();
    },
    staleTime: staleMs,
    enabled: isAsked && objectKinds.some(({ permission }) => may(permission)),
  });
  if (!isAsked) return { places: [], isSearching: false, failure: null };
  const found = findCommands<Place>(
    [
      ...(users.data ?? []).map(toUserPlace),
      ...(others.data ?? []),
      ...(may('settings.read') ? settingPlaces : []),
    ],
    typed,
  );
  const created = creations
    .filter(({ permission }) => may(permission))
    .map(({ permission: _permission, ...place }): Place => ({ ...place, group: 'Do' }));
  return {
    places: [
      ...limitPerGroup(found),
      ...findCommands(created, typed),
      ...(may('users.write') ? findUserActions(users.data ?? [], typed) : []),
    ],
    isSearching: users.isLoading || others.isLoading,
    failure: findFailure(users.error, others.error),
  };
}

function findFailure(users: Error | null, others: Error | null): FoundObjects['failure'] {
  if (users) return { what: 'Users', error: users };
  return others && { what: 'Teams, tasks and models', error: others };
}

const toUserPlace = ({ id, name, email }: User): Place =>
  placeOf('Users', UserRound, {
    id: `user-${id}`,
    label: name,
    detail: email,
    href: `/admin/users?open=${id}`,
  });

const limitPerGroup = (places: readonly Place[]) =>
  Object.values(Object.groupBy(places, ({ group }) => group)).flatMap((members) =>
    members.slice(0, shownMax),
  );

/**
 * The first words of `block mara` select the action, the others the users. A verb alone returns a link to the user
 * list.
 */
export function findUserActions(users: readonly User[], typed: string): Place[] {
  const text = typed.trim().toLowerCase();
  return userActions.flatMap((action): Place[] => {
    const verb =
      action.verbs.find((known) => text === known || text.startsWith(`${known} `)) ??
      action.verbs.find((known) => known.startsWith(text));
    if (verb === undefined) return [];
    const rest = text
      .slice(verb.length)
      .replace(/^ (of|for|to) /, ' ')
      .trim();
    return rest === '' ? [toUserList(action)] : findUsers(users, rest, action);
  });
}

const toUserList = ({ label, icon }: UserAction): Place => ({
  id: `act-${label}`,
  group: 'Do',
  label: `${label} a user`,
  detail: 'Choose in Users',
  href: '/admin/users',
  icon,
});

function findUsers(users: readonly User[], name: string, action: UserAction): Place[] {
  const { label, act, icon, isFor = () => true } = action;
  return users
    .filter(isFor)
    .map((user) => ({ user, score: rank(`${user.name} ${user.email}`, name) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, shownMax)
    .map(({ user }) => ({
      id: `act-${label}-${user.id}`,
      group: 'Do',
      label: `${label} ${user.name}`,
      detail: user.email,
      href: `/admin/users?open=${user.id}&act=${act}`,
      icon,
    }));
}

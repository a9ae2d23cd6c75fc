import { type CurrentUser, densities, foldText, requestId, themes } from '@sluice/contract';
import {
  Clipboard,
  Keyboard,
  LogOut,
  type LucideIcon,
  Monitor,
  Moon,
  PanelLeft,
  Rows3,
  Sun,
  TextAlignStart,
} from 'lucide-react';
import { useSidebar } from '#components/layout/sidebar.tsx';
import type { BuiltScreen, Screens } from '#components/layout/use-screens.ts';
import { showMessage } from '#components/ui/toasts.tsx';
import { copyText } from '#lib/copy-text.ts';
import { usePreferences } from '#lib/preferences.ts';
import { useLogout } from '#lib/session.ts';

export const groups = [
  'Recent',
  'Requests',
  'Go to',
  'Users',
  'Teams',
  'Tasks',
  'Models',
  'Settings',
  'Do',
] as const;
export type Group = (typeof groups)[number];

interface Entry {
  /** Remains the same each time the palette opens. */
  readonly id: string;
  readonly group: Group;
  readonly label: string;
  /** Distinguishes entries with the same name. */
  readonly detail?: string;
  readonly words?: string;
  readonly keys?: string;
  readonly icon: LucideIcon;
}

export interface Place extends Entry {
  readonly href: string;
}

interface Action extends Entry {
  readonly run: () => unknown;
}

export type Command = Place | Action;

/** Returns commands in group order, with the best matches first. */
export function findCommands<Item extends Command>(commands: readonly Item[], typed: string): Item[] {
  return commands
    .map((command) => ({ command, score: rate(command, typed) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => placeOf(one.command) - placeOf(other.command) || other.score - one.score)
    .map(({ command }) => command);
}

export const inGroupOrder = <Item extends Command>(commands: readonly Item[]): Item[] =>
  commands.toSorted((one, other) => placeOf(one) - placeOf(other));

/** The id alone is not unique, because a recent place appears in two groups. */
export const keyOf = ({ group, id }: Command) => `${group} ${id}`;

/** Returns the typed text if the text is a request id. */
export function readRequestId(typed: string): string | undefined {
  return requestId.safeParse(typed.trim().toLowerCase()).data;
}

/** Words for what a screen is used for, if its label does not contain them. */
const screenWords: Readonly<Record<string, string>> = {
  '/admin/users': 'limits quota sessions',
  '/admin/provider-access': 'grant models',
  '/admin/blacklist': 'block models',
  '/admin/budgets': 'limit raise lower spending dollars',
  '/admin/service-accounts': 'rotate keys',
  '/admin/management-tokens': 'rotate api',
  '/admin/llm-providers': 'rotate key add fallback order price maintenance',
  '/admin/tenant-credits': 'recharge pay balance',
  '/admin/statements': 'bill invoice month cost center',
  '/admin/logs': 'requests prompts',
  '/admin/analytics': 'charts spend cost usage',
  '/admin/identity-providers': 'sso sign-in oidc saml scim',
  '/admin/outbox': 'mails emails',
  '/admin/status': 'health jobs version',
  '/dashboard/api-keys': 'rotate',
  '/dashboard/profile': 'password passkey second factor sessions',
};

const textOf = ({ label, detail = '', words = '' }: Command) => `${label} ${detail} ${words}`;
const placeOf = ({ group }: Command) => groups.indexOf(group);

/** An exact label ranks above labels that only start with the typed text. */
const rate = (command: Command, typed: string): number =>
  foldText(command.label) === foldText(typed).trim() ? 4 : rank(textOf(command), typed);

/** Returns 0 for no match and 3 for a match at the start. Every typed word must occur. */
export function rank(text: string, typed: string): number {
  const place = foldText(text);
  const words = foldText(typed).split(/\s+/).filter(Boolean);
  if (words.length === 0) return 1;
  return Math.min(...words.map((word) => rankWord(place, word)));
}

function rankWord(place: string, word: string): number {
  const at = place.indexOf(word);
  if (at === -1) return 0;
  if (at === 0) return 3;
  return place.split(/[^\p{L}\p{N}]+/u).some((part) => part.startsWith(word)) ? 2 : 1;
}

export function listScreenPlaces({ sidebar, menu, elsewhere, area }: Screens): Place[] {
  const toPlace = (screen: BuiltScreen, keys?: string): Place => ({
    id: `screen-${screen.path}`,
    group: 'Go to',
    label: screen.label,
    icon: screen.icon,
    href: screen.path,
    ...(screenWords[screen.path] && { words: screenWords[screen.path] }),
    ...(keys === undefined ? { detail: area === 'admin' ? 'Portal' : 'Admin console' } : { keys }),
  });
  return [
    ...[...sidebar, ...menu].map((screen) => toPlace(screen, `g ${screen.letter}`)),
    ...elsewhere.map((screen) => toPlace(screen)),
  ];
}

/** Returns nothing unless the user may read the request log. */
export function findRequestPlace(user: CurrentUser, typed: string): Place[] {
  const id = user.role.permissions.includes('logs.read') ? readRequestId(typed) : undefined;
  if (id === undefined) return [];
  return [
    {
      id: `request-${id}`,
      group: 'Requests',
      label: 'Open the request in System Logs',
      detail: id,
      icon: TextAlignStart,
      href: `/admin/logs?open=${id}`,
    },
  ];
}

const themeIcons = { light: Sun, dark: Moon, system: Monitor };
const themeLabels = {
  light: 'Use the light theme',
  dark: 'Use the dark theme',
  system: 'Use the system theme',
};

const action = (id: string, fields: Omit<Action, 'id' | 'group'>): Action => ({ id, group: 'Do', ...fields });

export function useActions(onOpenShortcuts: () => void): Action[] {
  const [{ theme, density }, choose] = usePreferences();
  const sidebar = useSidebar();
  const logout = useLogout();

  return [
    action('base-url', {
      label: 'Copy the base URL',
      words: 'api endpoint openai',
      icon: Clipboard,
      run: copyBaseUrl,
    }),
    ...themes
      .filter((choice) => choice !== theme)
      .map((choice) =>
        action(`theme-${choice}`, {
          label: themeLabels[choice],
          words: 'appearance mode toggle',
          icon: themeIcons[choice],
          run: () => void choose({ theme: choice }),
        }),
      ),
    ...densities
      .filter((choice) => choice !== density)
      .map((choice) =>
        action(`density-${choice}`, {
          label: `Use ${choice} rows`,
          words: 'density appearance height',
          icon: Rows3,
          run: () => void choose({ density: choice }),
        }),
      ),
    action('sidebar', {
      label: sidebar.isCollapsed ? 'Expand the sidebar' : 'Collapse the sidebar',
      keys: '[',
      icon: PanelLeft,
      run: sidebar.toggle,
    }),
    action('shortcuts', {
      label: 'Show keyboard shortcuts',
      words: 'help keys',
      keys: '?',
      icon: Keyboard,
      run: onOpenShortcuts,
    }),
    action('logout', { label: 'Log out', words: 'sign out end session', icon: LogOut, run: logout }),
  ];
}

async function copyBaseUrl() {
  const baseUrl = `${window.location.origin}/api/v1`;
  const isCopied = await copyText(baseUrl);
  showMessage(isCopied ? `Copied ${baseUrl}` : `Copy manually: ${baseUrl}`);
}

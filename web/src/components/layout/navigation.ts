import type { CurrentUser, Permission } from '@sluice/contract';
import {
  Activity,
  Ban,
  Bot,
  ChartNoAxesColumn,
  CircleDollarSign,
  CircleUser,
  Columns2,
  Gauge,
  GitCompareArrows,
  History,
  House,
  IdCard,
  KeyRound,
  type LucideIcon,
  Mail,
  MessageSquare,
  Plug,
  ReceiptText,
  RectangleEllipsis,
  School,
  ScrollText,
  Settings2,
  SquareCheck,
  TextAlignStart,
  Users,
  Wallet,
  Webhook,
} from 'lucide-react';
import { isAdministrator, mayAdminister } from '#lib/home-path.ts';

export type Area = 'admin' | 'portal';

/** Screen of the console. Listed only if the route table contains its path. */
export interface Screen {
  readonly path: `/${string}`;
  readonly label: string;
  readonly icon: LucideIcon;
  /** Key that opens the screen after `g`. Unique among the screens that a user can see. */
  readonly letter: string;
  /** Group heading in the sidebar. Screens of a group are adjacent. */
  readonly group?: string;
  /** Required permission. If absent, every user of the area may open the screen. */
  readonly permission?: Permission;
  /** Whether the screen is marked as current only on its own page and not on pages below. */
  readonly isExact?: true;
  /** Whether a divider precedes the screen. */
  readonly isApart?: true;
}

const groups = {
  people: 'People and access',
  models: 'Models and tasks',
  billing: 'Billing',
  monitoring: 'Monitoring',
  system: 'System',
};

const adminScreens: readonly Screen[] = [
  { path: '/admin', label: 'Overview', icon: House, letter: 'o', isExact: true },
  {
    path: '/admin/users',
    group: groups.people,
    label: 'Users',
    icon: Users,
    letter: 'u',
    permission: 'users.read',
  },
  {
    path: '/admin/teams',
    group: groups.people,
    label: 'Teams',
    icon: School,
    letter: 't',
    permission: 'teams.write',
  },
  {
    path: '/admin/provider-access',
    group: groups.people,
    label: 'Provider Access',
    icon: KeyRound,
    letter: 'p',
    permission: 'provider_access.read',
  },
  {
    path: '/admin/blacklist',
    group: groups.people,
    label: 'Blacklist',
    icon: Ban,
    letter: 'b',
    permission: 'blacklist.read',
  },
  {
    path: '/admin/budgets',
    group: groups.people,
    label: 'Budgets',
    icon: Wallet,
    letter: 'f',
    permission: 'budgets.read',
  },
  {
    path: '/admin/service-accounts',
    group: groups.people,
    label: 'Service accounts',
    icon: Bot,
    letter: 'n',
    permission: 'users.read',
  },
  {
    path: '/admin/management-tokens',
    group: groups.people,
    label: 'Management tokens',
    icon: RectangleEllipsis,
    letter: 'z',
    permission: 'users.read',
  },
  {
    path: '/admin/llm-comparison',
    group: groups.models,
    label: 'LLM Comparison',
    icon: Columns2,
    letter: 'm',
  },
  {
    path: '/admin/tasks',
    group: groups.models,
    label: 'Tasks',
    icon: SquareCheck,
    letter: 'k',
    permission: 'tasks.read',
  },
  {
    path: '/admin/llm-providers',
    group: groups.models,
    label: 'LLM Providers',
    icon: Plug,
    letter: 'v',
    permission: 'providers.read',
  },
  {
    path: '/admin/tenant-credits',
    group: groups.billing,
    label: 'Tenant Credits',
    icon: CircleDollarSign,
    letter: 'e',
  },
  {
    path: '/admin/statements',
    group: groups.billing,
    label: 'Statements',
    icon: ReceiptText,
    letter: 'j',
    permission: 'analytics.read',
  },
  {
    path: '/admin/webhook-monitoring',
    group: groups.billing,
    label: 'Webhook Monitoring',
    icon: Webhook,
    letter: 'w',
    permission: 'super_admin',
  },
  {
    path: '/admin/logs',
    group: groups.monitoring,
    label: 'System Logs',
    icon: TextAlignStart,
    letter: 'l',
    permission: 'logs.read',
  },
  {
    path: '/admin/analytics',
    group: groups.monitoring,
    label: 'Analytics',
    icon: ChartNoAxesColumn,
    letter: 'a',
    permission: 'analytics.read',
  },
  {
    path: '/admin/shadow-runs',
    group: groups.monitoring,
    label: 'Shadow runs',
    icon: GitCompareArrows,
    letter: 'h',
    permission: 'logs.read',
  },
];

/** Listed after the screens of the specification. */
const systemScreens: readonly Screen[] = [
  {
    path: '/admin/settings',
    group: groups.system,
    label: 'Settings',
    icon: Settings2,
    letter: 's',
    permission: 'settings.read',
  },
  {
    path: '/admin/identity-providers',
    group: groups.system,
    label: 'Identity providers',
    icon: IdCard,
    letter: 'q',
    permission: 'settings.read',
  },
  {
    path: '/admin/audit-log',
    group: groups.system,
    label: 'Audit log',
    icon: ScrollText,
    letter: 'r',
    permission: 'audit.read',
  },
  {
    path: '/admin/outbox',
    group: groups.system,
    label: 'Outbox',
    icon: Mail,
    letter: 'x',
    permission: 'users.write',
  },
  {
    path: '/admin/status',
    group: groups.system,
    label: 'Status',
    icon: Activity,
    letter: 'y',
    permission: 'super_admin',
  },
];

/** For users who manage teams without being tenant administrators. */
const teamManagerMenu: readonly Screen[] = [
  { path: '/dashboard/teams', label: 'My Teams', icon: School, letter: 't', permission: 'teams.manage' },
];

/** Shown at the end of the portal's sidebar and in the console's avatar menu. */
const personalMenu: readonly Screen[] = [
  { path: '/chat', label: 'Chat', icon: MessageSquare, letter: 'c', isApart: true },
];

const portalScreens: readonly Screen[] = [
  { path: '/dashboard', label: 'Dashboard', icon: House, letter: 'd', isExact: true },
  { path: '/dashboard/usage', label: 'Usage', icon: Gauge, letter: 'u' },
  { path: '/dashboard/history', label: 'Task History', icon: History, letter: 'h' },
  { path: '/dashboard/tasks', label: 'My Tasks', icon: SquareCheck, letter: 'k' },
  { path: '/dashboard/api-keys', label: 'API Keys', icon: KeyRound, letter: 'i' },
  { path: '/dashboard/profile', label: 'Profile', icon: CircleUser, letter: 'p' },
];

export interface ScreenLists {
  readonly sidebar: readonly Screen[];
  readonly menu: readonly Screen[];
  readonly elsewhere: readonly Screen[];
}

/** Returns the screens that a user may see in an area. */
export function listScreens(area: Area, user: CurrentUser): ScreenLists {
  const choose = (screens: readonly Screen[]) => screens.filter((screen) => maySee(screen, user));
  const system = choose(systemScreens);
  const personal = choose(personalMenu);
  const teams = isAdministrator(user) ? [] : choose(teamManagerMenu);
  return area === 'admin'
    ? {
        sidebar: [...choose(adminScreens), ...system],
        menu: [...personal, ...teams],
        elsewhere: choose(portalScreens),
      }
    : {
        sidebar: [...choose(portalScreens), ...personal],
        menu: [...system, ...teams],
        elsewhere: choose(adminScreens),
      };
}

export function areaOf(pathname: string): Area {
  return pathname === '/admin' || pathname.startsWith('/admin/') ? 'admin' : 'portal';
}

function maySee({ path, permission }: Screen, user: CurrentUser): boolean {
  if (areaOf(path) === 'admin' && !mayAdminister(user)) return false;
  return permission === undefined || user.role.permissions.includes(permission);
}

/** Returns the screen with the given path, or the nearest screen above. */
export function findScreen<Item extends Screen>(
  screens: readonly Item[],
  pathname: string,
): Item | undefined {
  return screens.find(
    ({ path, isExact }) => path === pathname || (!isExact && pathname.startsWith(`${path}/`)),
  );
}

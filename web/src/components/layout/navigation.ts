import type { CurrentUser, Permission } from '@sluice/contract';
import {
  Activity,
  Ban,
  ChartNoAxesColumn,
  CircleDollarSign,
  CircleUser,
  Columns2,
  Gauge,
  History,
  House,
  KeyRound,
  type LucideIcon,
  Mail,
  MessageSquare,
  Plug,
  School,
  ScrollText,
  Settings2,
  SquareCheck,
  TextAlignStart,
  Users,
  Webhook,
} from 'lucide-react';
import { mayAdminister } from '#lib/home-path.ts';

export type Area = 'admin' | 'portal';

/** A screen of the console; it is shown once the route table has its path. */
export interface Screen {
  readonly path: `/${string}`;
  readonly label: string;
  readonly icon: LucideIcon;
  /** Leads there after `g`; unique within its area. */
  readonly letter: string;
  /** Permission needed to see it. Default: every user of the area. */
  readonly permission?: Permission;
  /** Whether it is current on its own page only, not on those below it. */
  readonly isExact?: true;
  /** Whether a divider separates it from the items above. */
  readonly isApart?: true;
}

export const adminSidebar: readonly Screen[] = [
  { path: '/admin', label: 'Overview', icon: House, letter: 'o', isExact: true },
  { path: '/admin/users', label: 'Users', icon: Users, letter: 'u', permission: 'users.read' },
  { path: '/admin/teams', label: 'Teams', icon: School, letter: 't', permission: 'teams.write' },
  {
    path: '/admin/provider-access',
    label: 'Provider Access',
    icon: KeyRound,
    letter: 'p',
    permission: 'provider_access.read',
  },
  { path: '/admin/blacklist', label: 'Blacklist', icon: Ban, letter: 'b', permission: 'blacklist.read' },
  { path: '/admin/llm-comparison', label: 'LLM Comparison', icon: Columns2, letter: 'm' },
  { path: '/admin/tasks', label: 'Tasks', icon: SquareCheck, letter: 'k', permission: 'tasks.read' },
  {
    path: '/admin/llm-providers',
    label: 'LLM Providers',
    icon: Plug,
    letter: 'v',
    permission: 'providers.read',
  },
  { path: '/admin/tenant-credits', label: 'Tenant Credits', icon: CircleDollarSign, letter: 'c' },
  {
    path: '/admin/webhook-monitoring',
    label: 'Webhook Monitoring',
    icon: Webhook,
    letter: 'w',
    permission: 'super_admin',
  },
  { path: '/admin/logs', label: 'System Logs', icon: TextAlignStart, letter: 'l', permission: 'logs.read' },
  {
    path: '/admin/analytics',
    label: 'Analytics',
    icon: ChartNoAxesColumn,
    letter: 'a',
    permission: 'analytics.read',
  },
];

export const adminMenu: readonly Screen[] = [
  { path: '/admin/settings', label: 'Settings', icon: Settings2, letter: 's', permission: 'settings.read' },
  { path: '/admin/audit-log', label: 'Audit log', icon: ScrollText, letter: 'd', permission: 'audit.read' },
  { path: '/admin/outbox', label: 'Outbox', icon: Mail, letter: 'x', permission: 'users.write' },
  { path: '/admin/status', label: 'Status', icon: Activity, letter: 'i', permission: 'super_admin' },
];

/** Menu of users who manage teams without being tenant administrators. */
export const teamManagerMenu: readonly Screen[] = [
  { path: '/dashboard/teams', label: 'My Teams', icon: School, letter: 't', permission: 'teams.manage' },
];

/** For everybody: at the end of the portal's sidebar, and in the avatar menu of the console. */
export const personalMenu: readonly Screen[] = [
  { path: '/chat', label: 'Chat', icon: MessageSquare, letter: 'c', isApart: true },
];

export const portalSidebar: readonly Screen[] = [
  { path: '/dashboard', label: 'Dashboard', icon: House, letter: 'd', isExact: true },
  { path: '/dashboard/usage', label: 'Usage', icon: Gauge, letter: 'u' },
  { path: '/dashboard/history', label: 'Task History', icon: History, letter: 'h' },
  { path: '/dashboard/tasks', label: 'My Tasks', icon: SquareCheck, letter: 'k' },
  { path: '/dashboard/api-keys', label: 'API Keys', icon: KeyRound, letter: 'i' },
  { path: '/dashboard/profile', label: 'Profile', icon: CircleUser, letter: 'p' },
];

export function areaOf(pathname: string): Area {
  return pathname === '/admin' || pathname.startsWith('/admin/') ? 'admin' : 'portal';
}

export function maySee({ path, permission }: Screen, user: CurrentUser): boolean {
  if (areaOf(path) === 'admin' && !mayAdminister(user)) return false;
  return permission === undefined || user.role.permissions.includes(permission);
}

/** The screen that a path belongs to: its own, or the one that it lies below. */
export function findScreen<Item extends Screen>(
  screens: readonly Item[],
  pathname: string,
): Item | undefined {
  return screens.find(
    ({ path, isExact }) => path === pathname || (!isExact && pathname.startsWith(`${path}/`)),
  );
}

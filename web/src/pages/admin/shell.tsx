import { useRouteContext } from '@tanstack/react-router';
import { House, TextAlignStart, Users } from 'lucide-react';
import { AppShell } from '../../components/layout/app-shell.tsx';
import type { NavigationItem } from '../../components/layout/sidebar.tsx';

const items: readonly NavigationItem[] = [
  { path: '/admin', label: 'Overview', icon: House, isExact: true },
  { path: '/admin/users', label: 'Users', icon: Users },
  { path: '/admin/logs', label: 'System Logs', icon: TextAlignStart },
];

export function AdminShell() {
  const user = useRouteContext({ from: '/signed-in/admin', select: (context) => context.user });
  return <AppShell user={user} items={items} />;
}

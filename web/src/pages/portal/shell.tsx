import { useRouteContext } from '@tanstack/react-router';
import { House } from 'lucide-react';
import { AppShell } from '../../components/layout/app-shell.tsx';
import type { NavigationItem } from '../../components/layout/sidebar.tsx';

const items: readonly NavigationItem[] = [
  { path: '/dashboard', label: 'Dashboard', icon: House, isExact: true },
];

export function PortalShell() {
  const user = useRouteContext({ from: '/signed-in/dashboard', select: (context) => context.user });
  return <AppShell user={user} items={items} />;
}
